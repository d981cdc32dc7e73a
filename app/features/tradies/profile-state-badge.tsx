import type { PersonDb } from '../../db/person-db.ts';
import { useOnItsWay } from '../../lib/use-on-its-way.ts';
import { Badge } from '../../ui/badge.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { entryState, type ItemState } from '../../words/item-state.ts';
import { words } from '../../words/promises.ts';
import { useWaitingLogo } from './use-waiting-logo.ts';

const looks: Readonly<Record<ItemState['kind'], { tone: 'neutral' | 'warn' | 'bad'; icon: IconName }>> = {
  saved: { tone: 'warn', icon: 'phone' },
  sending: { tone: 'neutral', icon: 'send' },
  failed: { tone: 'bad', icon: 'alert' },
  refused: { tone: 'bad', icon: 'crossCircle' },
  photos: { tone: 'neutral', icon: 'image' },
};

/** How far changes to one's own profile have come. Nothing once they have arrived. */
export function ProfileStateBadge({ db, tradieId }: { readonly db: PersonDb; readonly tradieId: string }) {
  const state = useProfileState(db, tradieId);
  if (state === undefined) return null;
  const { tone, icon } = looks[state.kind];
  return (
    <Badge tone={tone} icon={icon}>
      {state.words}
    </Badge>
  );
}

function useProfileState(db: PersonDb, tradieId: string): ItemState | undefined {
  const way = useOnItsWay(db);
  const logo = useWaitingLogo(db);
  if (way.state !== 'ready') return undefined;
  const isAbout = (entry: { name: string; args: unknown }) => entry.name === 'profile.edit' && (entry.args as { id?: string }).id === tradieId;
  if (way.value.refused.some(isAbout)) return { kind: 'refused', words: words.notAccepted };
  if (logo?.state === 'failed') return { kind: 'failed', words: words.couldntSend };
  const entry = way.value.outbox.find(isAbout);
  if (entry !== undefined) return entryState(entry);
  return logo === undefined ? undefined : { kind: 'saved', words: words.saved };
}
