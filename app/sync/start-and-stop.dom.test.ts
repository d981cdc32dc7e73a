import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { clearStorage } from '../testing/clear-storage.ts';
import { createDeferred } from '../testing/deferred.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import type { SyncPorts } from './ports.ts';

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
let pokes: AbortSignal[];
beforeEach(() => {
  clock = manualClock();
});
afterEach(() => harness.close());

async function open(ports: Partial<SyncPorts> = {}): Promise<void> {
  pokes = [];
  harness = await openDeviceHarness({
    clock,
    ports: {
      random: { ...seededRandom(7), next: () => 0.9 },
      pokes: (_onPoke, signal) => void pokes.push(signal),
      ...ports,
    },
  });
  phone = await harness.as(harness.addHomeowner());
}
const said = (event: string) =>
  phone.events.flatMap((each) => (each.kind === 'log' && each.event === event ? [each.detail] : []));
const status = () => phone.sync.status.current();
/** Waits until nothing is under way on the disk. */
const rest = async () => {
  for (let turn = 0; turn < 10; turn += 1) await phone.db.meta.count();
};
const diskError = () => Promise.reject(new DOMException('Disk error', 'UnknownError'));

describe('opening', () => {
  test('[C4] storage that does not open is retried after 1 s, 2 s …, and the engine then continues by itself', async () => {
    await open();
    await phone.kill();
    const real = phone.db.open.bind(phone.db);
    let tries = 0;
    Object.assign(phone.db, { open: () => ((tries += 1) <= 3 ? diskError() : real()) });
    phone.sync.start();
    for (const [wait, expected] of [
      [900, 1],
      [1_800, 2],
      [3_600, 3],
    ] as const) {
      await expect.poll(() => said('storage-blocked').length).toBe(expected);
      clock.advance(wait - 1);
      await rest().catch(() => undefined);
      expect([tries, status().phase, status().isStorageFull]).toEqual([expected, 'storage-blocked', false]);
      clock.advance(1);
    }
    await expect.poll(() => status()).toMatchObject({ phase: 'idle', isLeader: true });
    expect(tries).toBe(4);
  });

  test('stopped while it opens, or between two tries, it neither leads nor tries again, and leaves no timer', async () => {
    await open();
    await phone.kill();
    const real = phone.db.open.bind(phone.db);
    const opening = createDeferred<void>();
    Object.assign(phone.db, { open: async () => (await opening.promise, real()) });
    phone.sync.start();
    await phone.sync.stop();
    opening.resolve();
    await phone.db.open();
    await rest();
    expect([status().isLeader, clock.next()]).toEqual([false, undefined]);

    const failing = createDeferred<void>();
    Object.assign(phone.db, { open: async () => (await failing.promise, diskError()) });
    phone.sync.start();
    await phone.sync.stop();
    failing.resolve();
    await expect.poll(() => said('storage-blocked').length).toBe(1);
    expect(clock.next()).toBeUndefined();

    phone.sync.start();
    await expect.poll(() => said('storage-blocked').length).toBe(2);
    await phone.sync.stop();
    expect(clock.next()).toBeUndefined();
  });

  test('started twice it runs once', async () => {
    await open();
    phone.sync.start();
    const stuck = {};
    (phone.db.underWay as Set<object>).add(stuck);
    clock.advance(15_000);
    expect(said('storage-silent')).toEqual(['']);
    (phone.db.underWay as Set<object>).delete(stuck);
    await rest();
    clock.advance(5_000);
    expect([said('storage-answers'), status().isDiskSilent]).toEqual([[''], false]);
  });

  test('[C5] replaced by a newer app, it stops: no further request, and no timer is left', async () => {
    await open();
    await new Promise<void>((resolve, reject) => {
      const newer = indexedDB.open(phone.db.name, 1_000);
      newer.onsuccess = () => (newer.result.close(), resolve());
      newer.onerror = () => reject(newer.error ?? new Error('not opened'));
    });
    await expect.poll(() => status().isLeader).toBe(false);
    clock.advance(100);
    expect([clock.next(), pokes.map(({ aborted }) => aborted)]).toEqual([undefined, [true]]);
  });

  test('a database that another tab keeps open is reported to the page too', async () => {
    await open();
    await phone.kill();
    await phone.db.delete();
    const hog = await new Promise<IDBDatabase>((resolve) => {
      const older = indexedDB.open(phone.db.name, 1);
      older.onsuccess = () => resolve(older.result);
    });
    phone.sync.start();
    clock.advance(5_000);
    expect(phone.events).toContainEqual({ kind: 'open-blocked' });
    hog.close();
    await phone.settle();
  });
});

describe('the mark that this person was here (C4)', () => {
  test('is written once, after the first answer and not before', async () => {
    let writes = 0;
    let answers = false;
    const deviceMark = { read: async () => false, write: async () => void (writes += 1) };
    await open({
      deviceMark,
      transport: async (request) =>
        answers
          ? { ok: true, answer: await harness.server.exchange(request.userId ?? '', request) }
          : { ok: false, failure: { kind: 'network', heard: false, why: '' } },
    });
    expect([status().lastSynced, writes]).toEqual([null, 0]);
    answers = true;
    await harness.sync(phone);
    await harness.sync(phone);
    expect(writes).toBe(1);
  });

  test('that cannot be written is logged, and stops nothing', async () => {
    await open({ deviceMark: { read: async () => false, write: diskError } });
    await expect.poll(() => said('mark-failed')).toEqual(['UnknownError: Disk error']);
    await postGate(phone);
    await harness.sync(phone);
    expect([await phone.db.outbox.count(), said('mark-failed').length]).toEqual([0, 1]);
  });
});

describe('the browser closes the connection to the database (C5)', () => {
  test('a stopped engine does not check for eviction', async () => {
    await open();
    await phone.sync.stop();
    const before = await phone.db.log.count();
    await clearStorage(phone.db);
    await rest();
    expect([status().evictions, await phone.db.log.count(), before > 0]).toEqual([0, 0, true]);
  });

  test('without an eviction no request is made; a check that fails is logged', async () => {
    await open();
    phone.hold();
    const close = () => {
      const opened = phone.db.backendDB() as IDBDatabase;
      opened.close();
      opened.onclose?.(new Event('close'));
    };
    close();
    await rest();
    expect(phone.inFlight()).toEqual([]);
    const get = phone.db.meta.get.bind(phone.db.meta);
    Object.assign(phone.db.meta, { get: diskError });
    close();
    await expect.poll(() => said('storage-unread')).toEqual(['UnknownError: Disk error']);
    Object.assign(phone.db.meta, { get });
    expect(status().evictions).toBe(0);
  });
});
