import { makeTestId } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { openPersonDb } from '../db/person-db.ts';
import type { MutatePorts } from '../sync/mutate.ts';

export const now = Date.UTC(2026, 4, 1);

/** What `mutate` needs, on a device of its own whose clock stands still. */
export function makeMutatePorts(changes: Partial<MutatePorts> = {}): MutatePorts {
  const userId = makeTestId();
  return {
    db: openPersonDb(userId),
    userId,
    clock: { now: () => now, setTimer: () => () => undefined },
    random: seededRandom(7),
    collections: { find: async () => undefined },
    ...changes,
  };
}

export const makePost = (id: string) => ({
  id,
  title: 'Fix the gate',
  description: 'It drags.',
  locationId: 'southland/winton',
  urgency: 'soon' as const,
  categoryId: 'fencing',
});
