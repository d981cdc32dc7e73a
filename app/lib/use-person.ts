import { actorOf, hasSubscription, type Actor } from '../../shared/actor.ts';
import type { User } from '../../shared/tables/index.ts';
import { useHouse } from '../app-context.ts';
import { useLive, type Live } from '../db/use-live.ts';

export interface Person {
  readonly user: User;
  readonly actor: Actor;
  readonly isTradie: boolean;
  /** May browse the feed now; also decided offline, by the valid-until date. */
  readonly hasSubscription: boolean;
  /** By what the server last told, whatever this device's clock says: time alone never refuses a write here (C12). */
  readonly mayTryInterest: boolean;
}

/** The person's own row, live; null until the first exchange has brought it. */
export function usePerson(): Live<Person | null> {
  const { db, userId, earliestNow } = useHouse();
  return useLive(async () => {
    const user = await db.users.get(userId);
    if (user === undefined) return null;
    const actor = actorOf(user);
    const now = await earliestNow();
    const mayTryInterest = hasSubscription({ ...actor, subscriptionValidUntil: null }, now);
    return { user, actor, isTradie: user.tradieId !== null, hasSubscription: hasSubscription(actor, now), mayTryInterest };
  }, [db, userId, earliestNow]);
}
