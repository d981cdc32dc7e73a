import { useState } from 'react';
import { useApp, type ConnectionStatus, type SessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useRows } from '../../db/use-rows.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';
import { StateBar } from '../../ui/state-bar.tsx';
import { connectionWords } from '../../words/connection-words.ts';
import { formatInstant } from '../../words/dates.ts';
import { isServerAway, whyNotFetched } from '../../words/reach-words.ts';
import { shortWaitingWords, waitingOf } from '../../words/waiting.ts';
import { AppNotices } from './app-notices.tsx';
import { MainNav } from './main-nav.tsx';

/** The state bar of a person who has changes waiting and jobs saved. */
function MemberBar({ kind, context }: { readonly kind: ConnectionStatus['kind']; readonly context: SessionContext }) {
  const { connection, now } = useApp();
  const { lastSynced } = useWatched(connection);
  const way = useUnsynced(context);
  const waiting = way.state === 'ready' ? shortWaitingWords(waitingOf(way.value)) : undefined;
  const parts = [
    connectionWords[kind],
    // Three lines are too many on a phone, and the pages say when they were updated.
    lastSynced === null || kind === 'slow' || (isServerAway(kind) && waiting !== undefined)
      ? ''
      : `Showing jobs from ${formatInstant(lastSynced, now())}.`,
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

type MemberNavProps = { readonly context: SessionContext; readonly onLogOut: () => void };

const loadMenu = () => import('./user-menu.tsx');

/** The header of a person who is signed in. */
function MemberNav({ context, onLogOut }: MemberNavProps) {
  return (
    <>
      <LinkButton href="/dashboard" variant="plain">
        Dashboard
      </LinkButton>
      <MenuButton context={context} onLogOut={onLogOut} />
    </>
  );
}

/**
 * Menus are 30 kB of code that no first screen needs: they are fetched when the pointer or focus is on the button, and
 * open where it was pressed.
 */
function MenuButton({ context, onLogOut }: MemberNavProps) {
  const { toasts, connection } = useApp();
  const person = useRows(context.db, ['users'], ({ users }) => users.get(context.userId), [context]);
  // Until the person's row is read, nothing is offered that may not be for them.
  const mayBecomeTradie = person.state === 'ready' && (person.value === undefined || person.value.tradieId === null);
  const [wanted, setWanted] = useState<'no' | 'soon' | 'now'>('no');
  const menu = useDeferredImport(wanted !== 'no', loadMenu, () => {
    setWanted('no');
    toasts.show({ title: 'Error', description: whyNotFetched(connection.current().kind), variant: 'destructive' });
  });
  if (menu !== undefined && wanted === 'now')
    return (
      <menu.UserMenu userId={context.userId} mayBecomeTradie={mayBecomeTradie} onLogOut={onLogOut} isOpenAtFirst />
    );
  return (
    <QuickButton
      variant="plain"
      icon="user"
      iconOnlyLabel="Your account"
      hasMenu
      onPress={() => setWanted('now')}
      onReach={() => setWanted((before) => (before === 'no' ? 'soon' : before))}
    />
  );
}

/** The parts of the frame that read the device's database, so they come with the rest of the app, as one chunk. */
export const memberFrame = { AppNotices, MemberBar, MemberNav, MainNav };

export type MemberFrame = typeof memberFrame;
