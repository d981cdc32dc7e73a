import type { Actor } from '../../shared/actor.ts';
import type { Database } from '../db/database.ts';
import { findActors } from './find-actors.ts';
import type { Poke } from './poke.ts';

/** Who a person is and what they may do; undefined for somebody without a profile. */
export type FindActor = (userId: string) => Promise<Actor | undefined>;

interface KnownActorsParts {
  database: Database;
  poke: Pick<Poke, 'headVersion' | 'onAccounts'>;
  /** People remembered; who was asked for least recently goes first. */
  most?: number;
}

/**
 * People's rights, remembered until a commit changes their account: a new device asks for some fifty segments, and each of them needs to
 * know whether its person may read. What it says is at most as old as the last poke; that time alone ends a subscription is for
 * the caller to see.
 */
export function createKnownActors({ database, poke, most = 10_000 }: KnownActorsParts): FindActor {
  const known = new Map<string, Promise<Actor | undefined>>();
  poke.onAccounts((userIds) => {
    for (const id of userIds) known.delete(id);
  });

  return (userId) => {
    const remembered = known.get(userId);
    if (remembered !== undefined) {
      // To the end of the line: the first in it is the next to go.
      known.delete(userId);
      known.set(userId, remembered);
      return remembered;
    }
    const head = poke.headVersion();
    const asked = findActors(database.sql, [userId]).then((actors) => actors.get(userId));
    known.set(userId, asked);
    const forget = () => void (known.get(userId) === asked && known.delete(userId));
    // A commit that was heard of while this was read may not be in it.
    asked.then(() => poke.headVersion() !== head && forget(), forget);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
    return asked;
  };
}
