import { actorOf, type Actor } from '../../shared/actor.ts';
import type { PersonDb } from '../db/person-db.ts';

/**
 * Who acts, from the person's own row; before the first exchange, somebody of whom only the id is known. Without the end of the
 * subscription: this device's clock may be wrong, and so may what was once learnt of the server's, so time alone never refuses a
 * write here (C12). The server judges it by its own.
 */
export async function actorOnDevice(db: PersonDb, userId: string): Promise<Actor> {
  const person = await db.users.get(userId);
  return person === undefined
    ? { id: userId, tradieId: null, subscriptionStatus: null, subscriptionValidUntil: null }
    : { ...actorOf(person), subscriptionValidUntil: null };
}
