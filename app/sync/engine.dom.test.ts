import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTestId } from '../../shared/testing/make.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { mustBeInFlight, openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { systemClock } from '../db/clock.ts';
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

const post = (title?: string) => postGate(phone, title);
const waiting = () => phone.db.outbox.count();
const phase = () => phone.sync.status.current().phase;
/** Lets the back-off run out. */
const later = async (ms = 60_000) => {
  clock.advance(ms);
  await phone.settle();
};

describe('whatever happens on the way, each post arrives once (I1, I3)', () => {
  beforeEach(() => phone.hold());

  test.each<[string, (phone: Phone) => Promise<void> | void]>([
    ['the request is lost', (at) => mustBeInFlight(at).dropRequest()],
    ['the answer is lost after the commit', (at) => mustBeInFlight(at).dropAnswer()],
    ['the request arrives twice', (at) => mustBeInFlight(at).duplicate()],
    ['half of the answer comes', (at) => mustBeInFlight(at).truncate()],
    ['a captive portal answers', (at) => mustBeInFlight(at).captivePortal()],
    ['the server is busy', (at) => mustBeInFlight(at).respond(503, { 'Retry-After': '20' })],
    ['the server is unwell', (at) => mustBeInFlight(at).respond(500)],
  ])('%s', async (_what, strike) => {
    await post();
    await phone.settle();
    await strike(phone);
    await phone.settle();
    phone.goOnline();
    await later();
    expect([...harness.server.rows.jobs.values()].map(({ title }) => title)).toEqual(['Fix the gate']);
    expect([await waiting(), await phone.db.jobs.count(), await phone.db.shadow.count(), phase()]).toEqual([
      0,
      1,
      0,
      'idle',
    ]);
  });

  test('a request overtaken by a newer one changes nothing when its answer comes after all (I2)', async () => {
    await post('First');
    await phone.settle();
    const arrive = mustBeInFlight(phone).overtaken();
    await phone.settle();
    await post('Second');
    phone.goOnline();
    await later();
    await arrive();
    await harness.sync();
    expect(harness.server.decisions.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect([...harness.server.rows.jobs.values()].map(({ title }) => title)).toEqual(['First', 'Second']);
  });
});

describe('C8: when it asks', () => {
  test('30 s without an answer count as lost, and the back-off begins', async () => {
    phone.hold();
    await post();
    await phone.settle();
    clock.advance(30_000);
    await phone.settle();
    expect([phase(), phone.sync.status.current().reach]).toEqual(['waiting', 'offline']);
  });

  test('opened where everything is taken and nothing answered, it says so after 4 s and not after 30 [§offline]', async () => {
    phone.hold();
    await phone.reopen();
    await phone.settle();
    expect([phone.inFlight().length, phone.sync.status.current().reach]).toEqual([1, 'unknown']);
    clock.advance(4_000);
    await phone.settle();
    expect(phone.sync.status.current().reach).toBe('slow');
  });

  test('a wake that comes while it asks makes it ask once more, however many there were', async () => {
    phone.hold();
    await post('One');
    await phone.settle();
    await Promise.all([post('Two'), post('Three')]);
    expect(phone.inFlight()).toHaveLength(1);
    await mustBeInFlight(phone).deliver();
    await phone.settle();
    expect(mustBeInFlight(phone).request.mutations).toHaveLength(2);
    await mustBeInFlight(phone).deliver();
    await phone.settle();
    expect([phone.inFlight().length, await waiting(), phase()]).toEqual([0, 0, 'idle']);
  });

  test('it asks each 60 s while the page is visible, and not otherwise', async () => {
    phone.hold();
    phone.setVisible(false);
    await later(300_000);
    expect(phone.inFlight()).toHaveLength(0);
    phone.setVisible(true);
    await later(60_000);
    expect(phone.inFlight()).toHaveLength(1);
  });

  test('after a Retry-After it does not ask when the tab becomes visible; only at a tap', async () => {
    phone.hold();
    await post();
    await phone.settle();
    mustBeInFlight(phone).respond(429, { 'Retry-After': '50' });
    await phone.settle();
    phone.sync.wakeUp('visible');
    await later(49_000);
    expect(phone.inFlight()).toHaveLength(0);
    phone.sync.sendNow();
    await phone.settle();
    expect(phone.inFlight()).toHaveLength(1);
  });

  test('the watchdog: writes wait, nothing was tried for 90 s, so the loop begins anew and logs it', async () => {
    await harness.close();
    // A transport that never answers and timers that never fire, except the ticks: nothing else can free the loop.
    harness = await openDeviceHarness({
      clock: { now: clock.now, setTimer: (ms, fire) => (ms === 30_000 ? clock.setTimer(ms, fire) : () => undefined) },
    });
    phone = await harness.as(harness.addHomeowner());
    phone.goOffline();
    await post();
    await phone.settle();
    expect(phase()).toBe('waiting');
    phone.goOffline();
    clock.advance(30_000);
    clock.advance(30_000);
    harness.network.setMode(phone.name, 'online');
    clock.advance(30_000);
    await phone.sync.waitFor((await phone.db.outbox.toCollection().first())?.uid ?? '', Infinity);
    expect(await waiting()).toBe(0);
    expect(phone.events).toContainEqual({ kind: 'log', event: 'watchdog', detail: 'waiting' });
  });
});

describe('answers that are no outcomes keep everything', () => {
  test('401: renews the session once and goes on', async () => {
    harness.network.expireTokens(phone.userId);
    await post();
    await phone.settle();
    expect([await waiting(), phase()]).toEqual([0, 'idle']);
  });

  test('C10: 401 that stays pauses and wipes nothing; signed in again, it goes out [§4 start-up]', async () => {
    phone.hold();
    await post();
    for (let round = 0; round < 2; round += 1) {
      await phone.settle();
      mustBeInFlight(phone).respond(401);
    }
    await phone.settle();
    expect([phase(), await waiting(), await phone.db.jobs.count()]).toEqual(['needs-sign-in', 1, 1]);
    await post('Another');
    expect(phone.inFlight()).toHaveLength(0);
    phone.goOnline();
    phone.sync.wakeUp('signed-in');
    await phone.settle();
    expect([phase(), await waiting()]).toEqual(['idle', 0]);
  });

  test('413: sends fewer until it fits, in order', async () => {
    phone.goOffline();
    for (let at = 0; at < 6; at += 1) await post(`Job ${at}`);
    await phone.settle();
    phone.hold();
    phone.sync.sendNow();
    const sizes: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      await phone.settle();
      const flight = phone.inFlight()[0];
      if (flight === undefined) break;
      sizes.push(flight.request.mutations.length);
      if (flight.request.mutations.length > 2) flight.respond(413);
      else await flight.deliver();
    }
    expect(sizes.slice(0, 3)).toEqual([6, 3, 1]);
    expect([...harness.server.rows.jobs.values()].map(({ title }) => title)).toEqual([
      'Job 0',
      'Job 1',
      'Job 2',
      'Job 3',
      'Job 4',
      'Job 5',
    ]);
    expect(await waiting()).toBe(0);
  });

  test('426: the queue is kept and the person asked to reload', async () => {
    phone.hold();
    await post();
    await phone.settle();
    mustBeInFlight(phone).respond(426);
    await phone.settle();
    await post();
    expect([phase(), await waiting(), phone.inFlight().length]).toEqual(['needs-update', 2, 0]);
  });

  test('a transient error stops the batch; decided outcomes come back, the rest is sent later, in order (I2)', async () => {
    phone.goOffline();
    for (const title of ['One', 'Two', 'Three']) await post(title);
    const second = (await phone.db.outbox.orderBy('seq').toArray())[1];
    harness.server.setFault(({ uid }) => uid === second?.uid);
    phone.goOnline();
    await phone.settle();
    expect([await waiting(), phase(), await phone.db.jobs.count()]).toEqual([2, 'waiting', 3]);
    harness.server.setFault(() => false);
    await later();
    expect([...harness.server.rows.jobs.values()].map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
  });

  test('signed in but not onboarded: it waits, and says why', async () => {
    const newcomer = await harness.as({ ...harness.addHomeowner(), id: makeTestId() });
    expect(newcomer.sync.status.current()).toMatchObject({ phase: 'waiting', isProfileMissing: true });
  });
});

test('C9: a worker sends what waits with the app closed, and says how much is left', async () => {
  phone.goOffline();
  await post();
  await phone.settle();
  await phone.kill();
  await phone.db.open();
  harness.network.setMode(phone.name, 'online');
  expect(await phone.sync.drain(25_000)).toBe(0);
  expect(harness.server.rows.jobs.size).toBe(1);
});

test('C9: a worker woken while a tab sends ends as soon as all is sent, and does not delay a new version', async () => {
  const worker = await phone.openTab();
  await worker.db.open();
  await worker.sync.stop();
  phone.hold();
  await post();
  await phone.settle();
  // No clock moves here: only the tab's message can end it.
  const left = worker.sync.drain(30_000);
  harness.network.setMode(phone.name, 'online');
  await mustBeInFlight(phone).deliver();
  expect(await left).toBe(0);
  expect(harness.server.rows.jobs.size).toBe(1);
});

test('C11: asks to keep its data after the first queued write, once', async () => {
  let asked = 0;
  await harness.close();
  harness = await openDeviceHarness({
    clock: systemClock,
    ports: { storage: { persist: async () => (asked += 1) > 0, estimate: async () => ({ usage: 1, quota: 100 }) } },
  });
  phone = await harness.as(harness.addHomeowner());
  expect(asked).toBe(0);
  await post();
  await post();
  expect(asked).toBe(1);
});
