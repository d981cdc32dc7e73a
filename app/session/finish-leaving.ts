import { readDevice } from './auth-storage.ts';
import type { DeviceDb } from './device-db.ts';

export interface LeavingPorts {
  db: DeviceDb;
  /**
   * Deletes what this person has on the device while it `isWanted`: not once they are `back`. Called again after a
   * start if it was broken off, or another tab `held` the empty database.
   */
  wipeStorage(userId: string, isWanted: () => Promise<boolean>): Promise<'gone' | 'held' | 'back'>;
  log(event: string, detail: string): void;
}

/**
 * Removes from the device what people who logged out have left on it. Rejects where it could not be: no other comes in
 * before that. An emptied database that does not open is no reason to keep the next person out: nothing of its person
 * is left in it, and it is tried again.
 */
export async function finishLeaving({ db, wipeStorage, log }: LeavingPorts): Promise<void> {
  const marks = await db.entries.where('key').startsWithAnyOf('leaving', 'emptied:').toArray();
  for (const { key, value: userId } of marks) {
    if (typeof userId !== 'string') continue;
    const isBack = async () => (await readDevice(db)).person?.userId === userId;
    const isWanted = () =>
      db.transaction('r', 'entries', async () => (await db.entries.get(key)) !== undefined && !(await isBack()));
    const wipe = () =>
      wipeStorage(userId, isWanted).catch((error: unknown) => {
        if (!key.startsWith('emptied:')) throw error;
        log('emptied-not-removed', String(error));
        return 'held' as const;
      });
    // Also before their session context in this tab is closed.
    const end = (await isWanted()) ? await wipe() : 'back';
    await db.transaction('rw', 'entries', async () => {
      const isHere = await isBack();
      if (end !== 'back' || isHere) await db.entries.delete(key);
      if (end === 'held' && !isHere) await db.entries.put({ key: `emptied:${userId}`, value: userId });
    });
  }
}
