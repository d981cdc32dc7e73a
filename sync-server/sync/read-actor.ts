import { actorOf, type Actor } from '../../shared/actor.ts';
import type { SyncTx } from '../store/sync-store.ts';

/** Signed in, but without a row of their own yet: they have not completed their profile. */
export class ProfileMissing extends Error {
  override name = 'ProfileMissing';
}

/**
 * The actor, with their current rights. The row is locked until the transaction ends: rights cannot change meanwhile, and one person's
 * devices are decided one after the other.
 *
 * @throws ProfileMissing
 */
export async function lockActor(tx: SyncTx, userId: string): Promise<Actor> {
  const person = await tx.lockPerson(userId);
  if (person === undefined) throw new ProfileMissing();
  return actorOf(person);
}
