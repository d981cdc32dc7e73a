import { Badge } from '../ui/badge.tsx';
import type { IconName } from '../ui/icon.tsx';
import type { ItemState } from '../words/item-state.ts';

const looks: Readonly<Record<ItemState['kind'], { tone: 'neutral' | 'warn' | 'bad'; icon: IconName }>> = {
  held: { tone: 'warn', icon: 'clock' },
  saving: { tone: 'neutral', icon: 'phone' },
  saved: { tone: 'warn', icon: 'phone' },
  sending: { tone: 'neutral', icon: 'send' },
  restoring: { tone: 'warn', icon: 'clock' },
  failed: { tone: 'bad', icon: 'alert' },
  rejected: { tone: 'bad', icon: 'crossCircle' },
  photos: { tone: 'neutral', icon: 'image' },
};

/** How far a change has come, in words on the thing itself. Nothing once it is synced. */
export function ItemStateBadge({ state }: { readonly state: ItemState | undefined }) {
  if (state === undefined) return null;
  const { tone, icon } = looks[state.kind];
  return (
    <Badge tone={tone} icon={icon}>
      {state.words}
    </Badge>
  );
}
