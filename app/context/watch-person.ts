import { actorOf, hasSubscription, type Actor } from '../../shared/actor.ts';
import type { User } from '../../shared/tables/index.ts';
import type { Clock } from '../db/clock.ts';
import type { PersonDb } from '../db/person-db.ts';
import type { Live } from '../db/use-live.ts';
import { watchRows } from '../db/use-rows.ts';
import { earliestNow } from '../sync/corrected-now.ts';
import type { Watched } from '../lib/cell.ts';

export interface Person {
  readonly user: User;
  readonly actor: Actor;
  readonly isTradie: boolean;
  /** May browse the feed now; also decided offline, by the valid-until date. */
  readonly hasSubscription: boolean;
}

/**
 * The person's own row, read once for every screen and control that asks; null until the first exchange has brought it.
 */
export function watchPerson(db: PersonDb, userId: string, clock: Clock): Watched<Live<Person | null>> {
  return watchRows(db.rows, ['users', 'meta/serverTimeOffset'], ({ users, meta }) => {
    const user = users.get(userId);
    if (user === undefined) return null;
    const actor = actorOf(user);
    return {
      user,
      actor,
      isTradie: user.tradieId !== null,
      hasSubscription: hasSubscription(actor, earliestNow(meta.get('serverTimeOffset')?.value, clock)),
    };
  });
}
