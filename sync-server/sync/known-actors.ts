import type { Actor } from '../../shared/actor.ts';
import type { Database } from '../db/database.ts';
import { longestRemembered } from './exchange.ts';
import { findActors } from './find-actors.ts';
import type { Poke } from './poke.ts';

/** A person's id and rights; undefined without a profile. */
export type FindActor = (userId: string) => Promise<Actor | undefined>;

interface KnownActorsParts {
  database: Database;
  clock: () => Date;
  poke: Pick<Poke, 'freshHead' | 'onAccounts'>;
  /** Cached people; the least recently used go first. */
  max?: number;
}

/**
 * People's rights, cached until a commit changes their account, and for a minute at most (S10): a new device asks for some fifty
 * segments, and each request needs its person's rights. While this instance cannot rely on notices of commits, the database is asked each
 * time. The caller checks whether a subscription has run out by the clock.
 */
export function createKnownActors({ database, clock, poke, max = 10_000 }: KnownActorsParts): FindActor {
  const known = new Map<string, { asked: Promise<Actor | undefined>; at: number }>();
  poke.onAccounts((userIds) => {
    if (userIds === 'everybody') known.clear();
    else for (const id of userIds) known.delete(id);
  });

  return (userId) => {
    const head = poke.freshHead();
    const now = clock().getTime();
    const remembered = known.get(userId);
    known.delete(userId);
    if (head !== undefined && remembered !== undefined && now >= remembered.at && now - remembered.at <= longestRemembered) {
      // To the end of the order: the first is evicted next.
      known.set(userId, remembered);
      return remembered.asked;
    }
    const asked = findActors(database.sql, [userId]).then((actors) => actors.get(userId));
    if (head === undefined) return asked;
    known.set(userId, { asked, at: now });
    const forget = () => void (known.get(userId)?.asked === asked && known.delete(userId));
    // A commit whose notice came during this read may not be in it.
    asked.then(() => poke.freshHead() !== head && forget(), forget);
    const [oldest] = known.keys();
    if (known.size > max && oldest !== undefined) known.delete(oldest);
    return asked;
  };
}
