import { useApp, type SessionContext, type ConnectionStatus } from '../../context/app-context.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { waitingOf, shortWaitingWords } from '../../words/waiting.ts';
import { useWatched } from '../../context/use-watched.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { StateBar } from '../../ui/state-bar.tsx';
import { formatInstant } from '../../words/dates.ts';
import { connectionWords } from './connection-words.ts';

/** The state bar of a person who has changes waiting and jobs saved. */
export function MemberBar({
  kind,
  context,
}: {
  readonly kind: ConnectionStatus['kind'];
  readonly context: SessionContext;
}) {
  const { connection, now } = useApp();
  const { lastSynced } = useWatched(connection);
  const way = useUnsynced(context);
  const waiting = way.state === 'ready' ? shortWaitingWords(waitingOf(way.value)) : undefined;
  const parts = [
    connectionWords[kind],
    lastSynced === null || kind === 'slow' ? '' : `Showing jobs from ${formatInstant(lastSynced, now())}.`,
    waiting === undefined ? '' : `${waiting} waiting.`,
  ];
  return (
    <StateBar
      kind={kind}
      action={
        waiting === undefined ? undefined : (
          <LinkButton href="/waiting" variant="plain" aria-label="See what is waiting">
            See
          </LinkButton>
        )
      }
    >
      {parts.filter(Boolean).join(' ')}
    </StateBar>
  );
}
