import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { createDeferred } from '../testing/deferred.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { memoryCollections } from '../testing/memory-collections.ts';
import { mustBeInFlight, openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';

/* The exchange every 60 s and the watchdog (C8), both on ticks of 30 s. */

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
/** While set, the loop hangs before it packs its request. */
let hang: Promise<void> | undefined;
beforeEach(async () => {
  clock = manualClock();
  hang = undefined;
  const collections = memoryCollections(() => undefined);
  harness = await openDeviceHarness({
    clock,
    collections: () => ({ ...collections, asked: async () => (await hang, collections.asked()) }),
  });
  phone = await harness.as(harness.addHomeowner());
});
afterEach(() => harness.close());

const restarts = () =>
  phone.events.flatMap((each) => (each.kind === 'log' && each.event === 'watchdog' ? [each.detail] : []));
const phase = () => phone.sync.status.current().phase;
const rest = async () => {
  for (let turn = 0; turn < 10; turn += 1) await phone.db.meta.count();
};
const tick = async (times = 1) => {
  for (let at = 0; at < times; at += 1) {
    clock.advance(30_000);
    await rest();
  }
};

test('a visible tab makes a request at every second tick, and each leader counts from the beginning', async () => {
  phone.hold();
  await tick();
  expect(phone.inFlight()).toEqual([]);
  await phone.reopen();
  await phone.settle();
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  await tick();
  expect(phone.inFlight()).toEqual([]);
  await tick();
  expect(phone.inFlight()).toHaveLength(1);
});

test('it restarts the loop at the third tick without an attempt, and not before; a hung attempt that ends later has no effect', async () => {
  const hung = createDeferred<void>();
  hang = hung.promise;
  await postGate(phone);
  await tick(2);
  expect([restarts(), phase()]).toEqual([[], 'exchanging']);
  hang = undefined;
  phone.hold();
  await tick();
  expect([restarts(), phone.inFlight().length]).toEqual([['exchanging'], 1]);
  // The hung attempt: its request is discarded before it is sent, and its end is ignored.
  hung.resolve();
  await rest();
  expect([phase(), phone.inFlight().length]).toEqual(['exchanging', 1]);
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect([phase(), await phone.db.outbox.count(), harness.server.decisions.length]).toEqual(['idle', 0, 1]);
});

test('a storage error of the attempt it gave up on is not one of the current attempt', async () => {
  const hung = createDeferred<void>();
  hang = hung.promise.then(() => Promise.reject(new DOMException('full', 'QuotaExceededError')));
  await postGate(phone);
  await tick(2);
  hang = undefined;
  phone.hold();
  await tick();
  hung.resolve();
  await rest();
  expect(phone.sync.status.current()).toMatchObject({ phase: 'exchanging', isStorageFull: false });
  expect(phone.inFlight()).toHaveLength(1);
});

test('it does not restart a loop that makes attempts, however often these fail', async () => {
  phone.goOffline();
  await postGate(phone);
  await tick(20);
  expect(restarts()).toEqual([]);
});

test('it does not restart a loop that hangs with an empty outbox or while hidden', async () => {
  hang = new Promise(() => undefined);
  phone.sync.sendNow();
  await tick(6);
  expect(restarts()).toEqual([]);
  await postGate(phone);
  phone.setVisible(false);
  await tick(6);
  expect(restarts()).toEqual([]);
  phone.setVisible(true);
  await tick();
  expect(restarts()).toEqual(['exchanging']);
});

test.each([
  ['needs-update', 426, 6],
  ['needs-sign-in', 401, 1],
])('it makes no request where only the person can help: %s', async (obstacle, status, ticks) => {
  phone.hold();
  await postGate(phone);
  for (let round = 0; round < 2; round += 1) {
    await phone.settle();
    phone.inFlight()[0]?.respond(status);
  }
  await phone.settle();
  expect(phase()).toBe(obstacle);
  // After two hidden ticks the next one is the third without an attempt, and not one with a request.
  phone.setVisible(false);
  await tick(2);
  phone.setVisible(true);
  await tick(ticks);
  expect([restarts(), phone.inFlight().length]).toEqual([[], 0]);
});

test('it restarts the loop where the outbox cannot be read', async () => {
  hang = new Promise(() => undefined);
  phone.sync.sendNow();
  Object.assign(phone.db.outbox, { count: () => Promise.reject(new DOMException('Disk error', 'UnknownError')) });
  await tick(3);
  expect(restarts()).toEqual(['exchanging']);
});

test('an attempt that began while it was reading the outbox is not restarted', async () => {
  phone.goOffline();
  await postGate(phone);
  await phone.settle();
  const count = phone.db.outbox.count.bind(phone.db.outbox);
  const counted = createDeferred<number>();
  // The timers are lost: no attempt for three ticks.
  const { uid } = must(await phone.db.outbox.toCollection().first(), 'the post');
  hang = new Promise(() => undefined);
  phone.sync.sendNow();
  Object.assign(phone.db.outbox, { count: () => counted.promise });
  await tick(3);
  await phone.sync.stop();
  hang = undefined;
  Object.assign(phone.db.outbox, { count });
  harness.network.setMode(phone.name, 'online');
  phone.sync.start();
  await phone.settle();
  counted.resolve(1);
  await rest();
  expect([restarts(), await phone.sync.waitFor(uid, Infinity)]).toEqual([[], { kind: 'applied' }]);
});

test('a tab that no longer leads reports nothing as slow, though a request of its own still hangs', async () => {
  hang = new Promise(() => undefined);
  phone.sync.sendNow();
  await phone.sync.stop();
  clock.advance(5_000);
  expect(phone.sync.status.current().reach).toBe('online');
});
