import { expect } from 'vitest';
import { watchUnsynced } from '../../context/watch-unsynced.ts';
import { fakeCaches } from '../../pwa/testing/fake-caches.ts';
import { openDeviceDb } from '../../session/device-db.ts';
import { isTheirDevice } from '../../session/device-mark.ts';
import { openDeviceHarness } from '../../testing/open-device-harness.ts';
import { listHeld } from '../backup-records.ts';
import { createOutboxBackup, type OutboxBackup } from '../outbox-backup.ts';

const fail = (_kind: unknown, error: unknown): never => {
  throw error;
};

export type BackupHarness = Awaited<ReturnType<typeof openBackupHarness>>;

/**
 * A homeowner's phone and the caches in which its outbox is backed up. An error that the test has not taken out fails
 * `close`.
 */
export async function openBackupHarness() {
  const devices = await openDeviceHarness();
  const phone = await devices.as(devices.addHomeowner());
  await phone.settle();
  const caches: CacheStorage = fakeCaches();
  const errors: string[] = [];
  const leads = { current: true };
  const device = openDeviceDb();
  await device.entries.put({ key: 'person', value: { userId: phone.userId, email: '' } });
  return {
    ...devices,
    phone,
    caches,
    errors,
    /** Whether this tab leads. */
    leads,
    device,
    openBackup: (whenIdle: (work: () => void) => void = (work) => work()): OutboxBackup =>
      createOutboxBackup({
        db: phone.db,
        userId: phone.userId,
        caches,
        isHere: () => isTheirDevice(device, phone.userId),
        isLeader: () => leads.current,
        whenIdle,
        log: (event, detail) => void errors.push(`${event} ${detail}`),
      }),
    /** Backs up what waits now. */
    keep: async (backup: OutboxBackup): Promise<void> => {
      const unsynced = watchUnsynced(phone.db);
      const stop = unsynced.subscribe(() => undefined);
      await expect.poll(() => unsynced.current().state).toBe('ready');
      const read = unsynced.current();
      stop();
      if (read.state === 'ready') backup.keep(read.value);
      await backup.stop();
    },
    /** The browser starts, finds the database damaged and makes a new one. */
    throwAway: async (): Promise<void> => {
      await phone.kill();
      await phone.db.delete();
      await phone.reopen();
    },
    /** As if no attempt had been made yet: it may still be cancelled. */
    takeBack: async (uid: string): Promise<void> => {
      await phone.db.outbox.where('uid').equals(uid).modify({ state: 'new' });
      expect(await phone.sync.cancel(uid)).toMatchObject({ kind: 'cancelled' });
    },
    titles: async (): Promise<string[]> => (await phone.db.jobs.toArray()).map(({ title }) => title).toSorted(),
    /** How many entries the caches hold. */
    kept: async (): Promise<number> => {
      const all = await Promise.all((await caches.keys()).map(async (name) => listHeld(await caches.open(name), fail)));
      return all.flatMap((held) => [...held.values()]).reduce((sum, { ids }) => sum + ids.length, 0);
    },
    close: async () => {
      await devices.close();
      await device.delete();
      if (errors.length > 0) throw new Error(errors.join('\n'));
    },
  };
}
