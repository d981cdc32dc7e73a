import { actorOf, hasSubscription, type Actor } from '../../shared/actor.ts';
import type { User } from '../../shared/tables/index.ts';
import { useHouse } from '../app-context.ts';
import { useLive, type Live } from '../db/use-live.ts';

export interface Person {
  readonly user: User;
  readonly actor: Actor;
  readonly isTradie: boolean;
  /** May browse the feed and express interest now; also decided offline, by the valid-until date. */
  readonly hasSubscription: boolean;
}

/** The person's own row, live; null until the first exchange has brought it. */
export function usePerson(): Live<Person | null> {
  const { db, userId, earliestNow } = useHouse();
  return useLive(async () => {
    const user = await db.users.get(userId);
    if (user === undefined) return null;
    const actor = actorOf(user);
    return { user, actor, isTradie: user.tradieId !== null, hasSubscription: hasSubscription(actor, await earliestNow()) };
  }, [db, userId, earliestNow]);
}
