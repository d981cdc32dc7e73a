import type { SessionContext } from '../../context/app-context.ts';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { queuedState, type ItemState } from '../../words/item-state.ts';
import { words } from '../../words/common-words.ts';

/** How far changes to one's own profile have come. Nothing once they are synced. */
export function ProfileStateBadge({
  context,
  tradieId,
}: {
  readonly context: SessionContext;
  readonly tradieId: string;
}) {
  const state = useProfileState(context, tradieId);
  return <ItemStateBadge state={state} />;
}

function useProfileState(context: SessionContext, tradieId: string): ItemState | undefined {
  const way = useUnsynced(context);
  if (way.state !== 'ready') return undefined;
  const { logo } = way.value;
  const isAbout = (entry: { name: string; args: unknown }) =>
    entry.name === 'profile.edit' && (entry.args as { id?: string }).id === tradieId;
  if (way.value.refused.some(isAbout)) return { kind: 'refused', words: words.notAccepted };
  if (logo?.state === 'failed') return { kind: 'failed', words: words.couldntSend };
  const queued = queuedState(way.value, isAbout);
  if (queued !== undefined) return queued;
  return logo === undefined ? undefined : { kind: 'saved', words: words.saved };
}
