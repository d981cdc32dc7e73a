import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wipeStorage } from '../db/wipe-storage.ts';
import { markOpen } from '../db/open-mark.ts';
import { fakeSharedLocks } from '../testing/fake-shared-locks.ts';
import { openPersonDb } from '../db/person-db.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
beforeEach(async () => {
  clock = manualClock();
  harness = await openDeviceHarness({ clock });
  phone = await harness.as(harness.addHomeowner());
});
afterEach(() => harness.close());

describe('C10: sign-out', () => {
  const deviceLocks = fakeSharedLocks();

  test('before log-out one can name what was not sent; then database and caches are gone, also offline', async () => {
    phone.goOffline();
    await postGate(phone);
    await phone.settle();
    expect((await phone.sync.unsent()).mutations.map(({ name }) => name)).toEqual(['job.post']);
    await phone.sync.stop();
    const deleted: string[] = [];
    await wipeStorage({
      db: phone.db,
      clock,
      locks: deviceLocks,
      isWanted: async () => true,
      keepsCache: (name) => name.startsWith('shell'),
      caches: { keys: async () => ['shell-v1', 'job-photos'], delete: async (name) => deleted.push(name) > 0 },
    });
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(phone.db.name);
    expect(deleted).toEqual(['job-photos']);
  });

  test('[C10] another tab that never closes its connection holds up neither the log-out nor the deletion of its records', async () => {
    phone.goOffline();
    await postGate(phone);
    await phone.sync.stop();
    phone.db.close();
    // A tab that is asleep: it gets no event, and its connection stays open.
    const asleep = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open(phone.db.name);
      opening.onsuccess = () => resolve(opening.result);
    });
    const markClosed = markOpen(deviceLocks, phone.db.name);
    const steps: string[] = [];
    const db = openPersonDb(phone.userId, { name: phone.db.name });
    const emptying = wipeStorage({
      db,
      clock,
      locks: deviceLocks,
      isWanted: async () => true,
      keepsCache: () => false,
      caches: {
        keys: async () => ['dwang-person-photos'],
        delete: async (name) => (steps.push(`${name} ${await db.outbox.count()}`), true),
      },
    });
    let end: string | undefined;
    void emptying.then((how) => (end = how));
    // The steps are far below the limits, so that a slow machine’s disk keeps up.
    await expect.poll(() => (clock.advance(250), end)).toBe('held');
    expect(steps).toEqual(['dwang-person-photos 1']);
    const left = await Promise.all(
      Array.from(
        asleep.objectStoreNames,
        (store) =>
          new Promise<number>((resolve) => {
            const counting = asleep.transaction(store).objectStore(store).count();
            counting.onsuccess = () => resolve(counting.result);
          }),
      ),
    );
    expect(Math.max(...left)).toBe(0);
    // Its person may come back while it sleeps: nothing waits before their database.
    const back = openPersonDb(phone.userId, { name: phone.db.name });
    expect(await back.outbox.count()).toBe(0);
    back.close();
    asleep.close();
    markClosed();
    await wipeStorage({
      db: openPersonDb(phone.userId, { name: phone.db.name }),
      clock,
      locks: deviceLocks,
      isWanted: async () => true,
      keepsCache: () => true,
    });
    expect((await indexedDB.databases()).map(({ name }) => name)).not.toContain(phone.db.name);
  });

  test('another person on the same device gets another database (I13)', () => {
    expect(openPersonDb('one').name).not.toBe(openPersonDb('two').name);
  });
});
