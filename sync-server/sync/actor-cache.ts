import type { Actor } from '../../shared/actor.ts';
import { maxRememberedMs } from './exchange.ts';
import { findActors } from './find-actors.ts';
import type { Poke } from './poke.ts';
import type { SyncStore } from '../store/sync-store.ts';

/** A person's id and rights; undefined without a profile. */
export type FindActor = (userId: string) => Promise<Actor | undefined>;

interface ActorCacheParts {
  store: SyncStore;
  clock: () => Date;
  poke: Pick<Poke, 'freshHead' | 'onAccounts'>;
  /** Cached people; the least recently used go first. */
  max?: number;
}

/**
 * People's rights, cached until a commit changes their account, and for a minute at most (S10): a new device asks for
 * some fifty segments, and each request needs its person's rights. While this instance cannot rely on notices of
 * commits, the database is asked each time. The caller checks whether a subscription has run out by the clock.
 */
export function createActorCache({ store, clock, poke, max = 10_000 }: ActorCacheParts): FindActor {
  const cache = new Map<string, { asked: Promise<Actor | undefined>; at: number }>();
  poke.onAccounts((userIds) => {
    if (userIds === 'all') cache.clear();
    else for (const id of userIds) cache.delete(id);
  });

  return (userId) => {
    const head = poke.freshHead();
    const now = clock().getTime();
    const cached = cache.get(userId);
    cache.delete(userId);
    if (head !== undefined && cached !== undefined && now >= cached.at && now - cached.at <= maxRememberedMs) {
      // Writing the entry anew moves it to the end of the order: the first is evicted next.
      cache.set(userId, cached);
      return cached.asked;
    }
    const asked = findActors(store, [userId]).then((actors) => actors.get(userId));
    if (head === undefined) return asked;
    cache.set(userId, { asked, at: now });
    const evict = () => void (cache.get(userId)?.asked === asked && cache.delete(userId));
    // A commit whose notice came during this read may not be in it.
    asked.then(() => poke.freshHead() !== head && evict(), evict);
    const [oldest] = cache.keys();
    if (cache.size > max && oldest !== undefined) cache.delete(oldest);
    return asked;
  };
}
