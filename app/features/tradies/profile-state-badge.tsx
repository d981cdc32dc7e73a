import { useApp, type SessionContext } from '../../context/app-context.ts';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import { useSent } from '../../hooks/use-sent.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { formatTimeOrDay } from '../../words/dates.ts';
import { queuedState, type ItemState } from '../../words/item-state.ts';
import { words } from '../../words/common-words.ts';

type Named = { readonly name: string; readonly args: unknown };

const editOf = (tradieId: string) => (entry: Named) =>
  entry.name === 'profile.edit' && (entry.args as { id?: string }).id === tradieId;

/** How far changes to one's own profile have come, and for a day when they were sent. */
export function ProfileStateBadge({
  context,
  tradieId,
}: {
  readonly context: SessionContext;
  readonly tradieId: string;
}) {
  const state = useProfileState(context, tradieId);
  const { now } = useApp();
  const sent = useSent(context).find(editOf(tradieId));
  if (state === undefined && sent !== undefined) return <p>Sent {formatTimeOrDay(sent.at, now())}</p>;
  return <ItemStateBadge state={state} />;
}

function useProfileState(context: SessionContext, tradieId: string): ItemState | undefined {
  const way = useUnsynced(context);
  if (way.state !== 'ready') return undefined;
  const { logo } = way.value;
  const isAbout = editOf(tradieId);
  if (way.value.rejected.some(isAbout)) return { kind: 'rejected', words: words.notAccepted };
  if (logo?.state === 'failed') return { kind: 'failed', words: words.couldntSend };
  const queued = queuedState(way.value, isAbout);
  if (queued !== undefined) return queued;
  return logo === undefined ? undefined : { kind: 'saved', words: words.saved };
}
