import { actorOf, type Actor } from '../../shared/actor.ts';
import { DatabaseRestored, isBehind, type Seen } from '../db/notice-restore.ts';
import type { LockedPerson, SyncTx } from '../store/sync-store.ts';

/** Signed in, but without a row of their own yet: they have not completed their profile. */
export class ProfileMissing extends Error {
  override name = 'ProfileMissing';
}

/**
 * The actor, with their current rights. The row is locked until the transaction ends: rights cannot change meanwhile,
 * and one person's devices are decided one after the other.
 *
 * @param seen What this server had read of the database before the transaction began.
 * @throws ProfileMissing; DatabaseRestored where the database has lost what was seen, or is another one: nothing may be
 * decided on that timeline (S5).
 */
export async function lockActor(
  tx: SyncTx,
  userId: string,
  seen?: Seen,
): Promise<{ actor: Actor } & Pick<LockedPerson, 'restoredAt' | 'timeline'>> {
  const locked = await tx.lockPerson(userId);
  if (locked === undefined) throw new ProfileMissing();
  if (locked.isMoved || (seen !== undefined && isBehind(locked, seen))) throw new DatabaseRestored();
  const { person, restoredAt, timeline } = locked;
  return { actor: actorOf(person), restoredAt, timeline };
}
