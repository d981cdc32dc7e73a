import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { withConnection } from '../db/connection.ts';
import { clearStorage } from '../testing/clear-storage.ts';
import { fillStorage } from '../testing/fill-storage.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
let mark = false;
beforeEach(async () => {
  clock = manualClock();
  mark = false;
  harness = await openDeviceHarness({
    clock,
    ports: { deviceMark: { read: async () => mark, write: async () => void (mark = true) } },
  });
  phone = await harness.as(harness.addHomeowner());
});
afterEach(() => harness.close());

const post = () =>
  phone.sync.mutate('job.post', {
    id: makeTestId(),
    title: 'T',
    description: 'D',
    locationId: 'l',
    urgency: 'soon',
    categoryId: 'c',
  });

describe('C4: a device that lost its data', () => {
  test('says so and fetches everything again', async () => {
    await post();
    await phone.settle();
    await Promise.all(phone.db.tables.map((table) => table.clear()));
    await phone.reopen();
    expect(phone.sync.status.current().evictions).toBe(1);
    expect(await phone.db.jobs.count()).toBe(1);
    phone.sync.dismissEviction();
    await phone.reopen();
    expect(phone.sync.status.current().evictions).toBe(0);
  });

  test('that lost only its canary drops its cookie too', async () => {
    await post();
    await phone.settle();
    await phone.db.jobs.clear();
    await phone.db.meta.delete('canary');
    mark = false;
    await phone.reopen();
    expect([phone.sync.status.current().evictions, await phone.db.jobs.count()]).toEqual([1, 1]);
  });

  test('while the app is open reports it at once, fetches everything again, and sends what is saved from then on', async () => {
    await post();
    await phone.settle();
    await clearStorage(phone.db);
    mark = false;
    while (phone.sync.status.current().evictions === 0) await phone.db.meta.count();
    while (phone.sync.status.current().lastSynced === null) {
      clock.advance(1_000);
      await phone.db.meta.count();
    }
    expect([await phone.db.jobs.count(), mark]).toEqual([1, true]);
    await post();
    await phone.settle();
    expect([harness.server.rows.jobs.size, await phone.db.outbox.count()]).toEqual([2, 0]);
  });

  test('twice, before anything came back, is seen twice: what was written in between is gone too', async () => {
    await post();
    await phone.settle();
    phone.hold();
    for (const times of [1, 2]) {
      await clearStorage(phone.db);
      while (phone.sync.status.current().evictions < times) await phone.db.meta.count();
      expect(phone.sync.status.current()).toMatchObject({ evictions: times, lastSynced: null });
    }
  });

  test('while the browser is still clearing it, so that the first look fails, is noticed all the same, before an answer brings a canary', async () => {
    await post();
    await phone.settle();
    const get = phone.db.meta.get.bind(phone.db.meta);
    let isClearing = true;
    Object.assign(phone.db.meta, {
      get: (...given: Parameters<typeof get>) =>
        isClearing ? Promise.reject(new DOMException('Being cleared', 'UnknownError')) : get(...given),
    });
    await clearStorage(phone.db);
    while (!phone.events.some((said) => said.kind === 'log' && said.event === 'storage-unread'))
      await phone.db.outbox.count();
    expect(phone.sync.status.current().evictions).toBe(0);
    isClearing = false;
    phone.sync.sendNow();
    while ((await phone.db.jobs.count()) === 0) {
      clock.advance(1_000);
      await phone.db.meta.count();
    }
    expect(phone.sync.status.current().evictions).toBe(1);
  });

  test('a connection that the browser closed, and nothing more, has lost nothing', async () => {
    await post();
    await phone.settle();
    const open = must(phone.db.backendDB(), 'an open database') as IDBDatabase;
    open.close();
    must(open.onclose, 'a listener').call(open, new Event('close'));
    await post();
    await phone.settle();
    expect(phone.sync.status.current()).toMatchObject({ evictions: 0, isLeader: true });
    expect([harness.server.rows.jobs.size, await phone.db.jobs.count()]).toEqual([2, 2]);
  });

  test('a new one has lost nothing', () => {
    expect(phone.sync.status.current().evictions).toBe(0);
    expect(mark).toBe(true);
  });

  test('storage that cannot be read is not empty storage: the engine reports it, retries, and makes no request meanwhile', async () => {
    await post();
    await phone.settle();
    await phone.kill();
    let isBroken = true;
    phone.hold();
    Object.assign(phone.db, {
      open: async () => {
        if (isBroken) throw new DOMException('Internal error', 'UnknownError');
      },
    });
    phone.sync.start();
    await phone.settle();
    expect(phone.sync.status.current()).toMatchObject({ phase: 'storage-blocked', evictions: 0 });
    expect(phone.inFlight()).toEqual([]);
    isBroken = false;
    await phone.kill();
    await phone.reopen();
    expect(await phone.db.jobs.count()).toBe(1);
  });

  test('a storage error stops the loop with a timer set, and the loop continues by itself', async () => {
    const transaction = phone.db.transaction.bind(phone.db);
    let failing = true;
    Object.assign(phone.db, {
      transaction: (...given: Parameters<typeof transaction>) =>
        failing ? Promise.reject(new DOMException('Disk error', 'UnknownError')) : transaction(...given),
    });
    phone.sync.sendNow();
    await phone.settle();
    expect(phone.sync.status.current().phase).toBe('storage-blocked');
    failing = false;
    clock.advance(60_000);
    // The phase names the obstacle until an answer is in.
    while (phone.sync.status.current().phase !== 'idle') await phone.db.meta.get('cookie');
    expect(phone.sync.status.current().phase).toBe('idle');
  });
});

describe('a full storage', () => {
  test('under way is called full in each tab, and not unreadable; it goes on by itself', async () => {
    await phone.settle();
    const other = await phone.openTab();
    const bulkPut = phone.db.outbox.bulkPut.bind(phone.db.outbox);
    let isFull = true;
    Object.assign(phone.db.outbox, {
      bulkPut: (...given: Parameters<typeof bulkPut>) =>
        isFull ? Promise.reject(new DOMException('full', 'QuotaExceededError')) : bulkPut(...given),
    });
    await post();
    phone.sync.sendNow();
    await phone.settle();
    expect(phone.sync.status.current()).toMatchObject({ phase: 'storage-blocked', isStorageFull: true });
    await expect
      .poll(() => other.sync.status.current())
      .toMatchObject({ phase: 'storage-blocked', isStorageFull: true });
    isFull = false;
    clock.advance(60_000);
    await expect.poll(() => phone.sync.status.current().phase).toBe('idle');
    expect(await phone.db.outbox.count()).toBe(0);
  });

  test('is said also where the app is opened on a full phone, on which not even leading can be written down; it goes on by itself', async () => {
    await phone.kill();
    const makeRoom = fillStorage();
    try {
      await phone.reopen();
      expect(phone.sync.status.current()).toMatchObject({
        phase: 'storage-blocked',
        isStorageFull: true,
        isLeader: false,
      });
      for (let again = 0; again < 5; again += 1) {
        clock.advance(10_000);
        await phone.db.meta.count();
      }
      expect(phone.sync.status.current()).toMatchObject({ phase: 'storage-blocked', isStorageFull: true });
    } finally {
      makeRoom();
    }
    const later = () => (clock.advance(1_000), phone.sync.status.current());
    await expect.poll(later).toMatchObject({ phase: 'idle', isLeader: true });
    const { uid } = await post();
    await harness.sync(phone);
    expect(await phone.sync.waitFor(uid, Infinity)).toEqual({ kind: 'applied' });
  });

  test('storage that fails otherwise is not called full, nor still full', async () => {
    await phone.settle();
    let error = new DOMException('full', 'QuotaExceededError');
    Object.assign(phone.db, { transaction: () => Promise.reject(error) });
    phone.sync.sendNow();
    await phone.settle();
    expect(phone.sync.status.current()).toMatchObject({ phase: 'storage-blocked', isStorageFull: true });
    error = new DOMException('Disk error', 'UnknownError');
    phone.sync.sendNow();
    await expect
      .poll(() => phone.sync.status.current())
      .toMatchObject({ phase: 'storage-blocked', isStorageFull: false });
  });
});

describe('C5: connections', () => {
  test('one that the browser closed is opened again, and the work is done', async () => {
    let tries = 0;
    const value = await withConnection(phone.db, async () => {
      tries += 1;
      if (tries === 1) {
        phone.db.close({ disableAutoOpen: false });
        throw new DOMException('The database connection is closing.', 'InvalidStateError');
      }
      return phone.db.jobs.count();
    });
    expect([tries, value]).toEqual([2, 0]);
  });

  test('it is tried once more, not for ever; other errors are not tried again', async () => {
    for (const [error, expected] of [
      [new DOMException('Lost', 'InvalidStateError'), 2],
      [new Error('An error'), 1],
    ] as const) {
      let tries = 0;
      await expect(withConnection(phone.db, () => ((tries += 1), Promise.reject(error)))).rejects.toBe(error);
      expect(tries).toBe(expected);
    }
  });

  test('versionchange: a newer app or a log-out in another tab closes this one’s connection and asks for a reload', async () => {
    await new Promise<void>((resolve, reject) => {
      const newer = indexedDB.open(phone.db.name, 1_000);
      newer.onsuccess = () => (newer.result.close(), resolve());
      newer.onerror = () => reject(newer.error ?? new Error('not opened'));
    });
    expect(phone.sync.status.current().isReplaced).toBe(true);
    expect(phone.events).toContainEqual({ kind: 'replaced' });
    await expect(post()).rejects.toThrow();
  });

  test('a database that another tab keeps open is reported after 5 s, and waited for', async () => {
    await phone.kill();
    await phone.db.delete();
    const hog = await new Promise<IDBDatabase>((resolve) => {
      const older = indexedDB.open(phone.db.name, 1);
      older.onsuccess = () => resolve(older.result);
    });
    phone.sync.start();
    clock.advance(5_000);
    expect(phone.sync.status.current().isOpenBlocked).toBe(true);
    hog.close();
    await phone.settle();
    expect(phone.sync.status.current()).toMatchObject({ isOpenBlocked: false, isLeader: true });
  });
});
