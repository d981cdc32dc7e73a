import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createDeferred } from '../testing/deferred.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import { watchDisk } from './watch-disk.ts';

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
beforeEach(async () => {
  clock = manualClock();
  harness = await openDeviceHarness({ clock });
  phone = await harness.as(harness.addHomeowner());
});
afterEach(() => harness.close());

/** A transaction that keeps all others waiting until `end` is called: what the storage does when it does not answer. */
async function silence(): Promise<{ end: () => void; over: Promise<void> }> {
  const [held, begun] = [createDeferred<void>(), createDeferred<void>()];
  const over = phone.db.transaction('rw', ['meta', 'outbox', 'photos'], async () => {
    await phone.db.meta.get('canary');
    begun.resolve();
    await Dexie.waitFor(held.promise, 60_000);
  });
  await begun.promise;
  return { end: held.resolve, over };
}

const isSilent = () => phone.sync.status.current().isDiskSilent;

test('a request of the storage that is never answered is reported within 15 s; the report is withdrawn once it is answered', async () => {
  const { end, over } = await silence();
  clock.advance(10_000);
  expect(isSilent()).toBe(false);
  clock.advance(5_000);
  expect(isSilent()).toBe(true);
  expect(phone.events).toContainEqual({ kind: 'log', event: 'storage-silent', detail: '' });
  end();
  await over;
  clock.advance(5_000);
  expect(isSilent()).toBe(false);
});

test('requests that are answered, however many follow each other, are not reported', () => {
  const underWay = new Set<object>();
  const told: boolean[] = [];
  const stop = watchDisk(clock, underWay, (isNow) => void told.push(isNow));
  for (let look = 0; look < 8; look += 1) {
    if (look % 2 === 0) underWay.clear();
    underWay.add({});
    clock.advance(5_000);
  }
  expect(told).toEqual([]);
  stop();
  clock.advance(60_000);
  expect(told).toEqual([]);
});

test('a tab that was frozen checks again before it reports anything', async () => {
  const { end, over } = await silence();
  clock.jump(600_000);
  clock.advance(5_000);
  expect(isSilent()).toBe(false);
  end();
  await over;
});

test('[C8] the watchdog does not wait for a storage that is silent, and nothing is lost by that', async () => {
  const { end, over } = await silence();
  const posting = postGate(phone);
  phone.sync.sendNow();
  for (let tick = 0; tick < 3; tick += 1) clock.advance(30_000);
  clock.advance(5_000);
  await expect.poll(() => phone.events).toContainEqual({ kind: 'log', event: 'watchdog', detail: 'exchanging' });
  end();
  await over;
  const { uid } = await posting;
  await harness.sync(phone);
  expect(await phone.sync.waitFor(uid, Infinity)).toEqual({ kind: 'applied' });
  expect(harness.server.rows.jobs.size).toBe(1);
});
