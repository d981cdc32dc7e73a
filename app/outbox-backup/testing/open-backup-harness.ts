import { expect } from 'vitest';
import { watchUnsynced } from '../../context/watch-unsynced.ts';
import { fakeCaches } from '../../pwa/testing/fake-caches.ts';
import { openDeviceDb } from '../../session/device-db.ts';
import { isTheirDevice } from '../../session/device-mark.ts';
import { openDeviceHarness } from '../../testing/open-device-harness.ts';
import { createOutboxBackup, type OutboxBackup } from '../outbox-backup.ts';

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
  const device = openDeviceDb();
  await device.entries.put({ key: 'person', value: { userId: phone.userId, email: '' } });
  return {
    ...devices,
    phone,
    caches,
    errors,
    device,
    openBackup: (whenIdle: (work: () => void) => void = (work) => work()): OutboxBackup =>
      createOutboxBackup({
        db: phone.db,
        userId: phone.userId,
        caches,
        isHere: () => isTheirDevice(device, phone.userId),
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
    /** How many entries the caches hold. */
    kept: async (): Promise<number> =>
      (
        await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).length))
      ).reduce((sum, count) => sum + count, 0),
    close: async () => {
      await devices.close();
      await device.delete();
      if (errors.length > 0) throw new Error(errors.join('\n'));
    },
  };
}
