import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { InFlight } from '../testing/fake-network.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { mustBeInFlight, openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { recordLastError } from './record-last-error.ts';
import { postGate } from '../testing/post-gate.ts';

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
beforeEach(async () => {
  clock = manualClock();
  harness = await openDeviceHarness({ clock });
  phone = await harness.as(harness.addHomeowner());
  phone.hold();
});
afterEach(() => harness.close());

const post = (title?: string) => postGate(phone, title);
const causes = async () => (await phone.db.outbox.orderBy('seq').toArray()).map(({ lastError }) => lastError);
async function comesBack(strike: (flight: InFlight) => unknown): Promise<void> {
  await phone.settle();
  await strike(mustBeInFlight(phone));
  await phone.settle();
}

test.each<[string, RegExp, (flight: InFlight) => unknown]>([
  ['a captive portal answers', /sign-in page of this Wi-Fi/, (flight) => flight.captivePortal()],
  ['half of the answer comes', /Something else answered/, (flight) => flight.truncate()],
  ['the server is unwell', /not well just now/, (flight) => flight.respond(500)],
  ['the server is busy', /busy just now/, (flight) => flight.respond(503, { 'Retry-After': '20' })],
  ['the server cannot read it', /could not read this/, (flight) => flight.respond(400)],
  ['it is too big', /too big/, (flight) => flight.respond(413)],
])('where %s, what went along says so, and the next attempt takes it off', async (_what, words, strike) => {
  await post();
  await comesBack(strike);
  expect(await causes()).toEqual([expect.stringMatching(words)]);
  phone.sync.sendNow();
  await phone.settle();
  expect(phone.inFlight()).toHaveLength(1);
  expect(await causes()).toEqual([null]);
});

describe('no cause is named', () => {
  test.each<[string, (flight: InFlight) => unknown]>([
    ['for want of signal', (flight) => flight.dropRequest()],
    ['where the app is too old, which has words of its own', (flight) => flight.respond(426)],
  ])('%s', async (_what, strike) => {
    await post();
    await comesBack(strike);
    expect(await causes()).toEqual([null]);
  });

  test('any more, once signal is all that is missing', async () => {
    await post();
    await comesBack((flight) => flight.respond(500));
    phone.sync.sendNow();
    await comesBack((flight) => flight.dropRequest());
    expect(await causes()).toEqual([null]);
  });

  test('for what was not sent', async () => {
    await post('One');
    await phone.settle();
    await post('Two');
    await comesBack((flight) => flight.respond(500));
    expect(await causes()).toEqual([expect.any(String), null]);
  });

  test('where fewer are sent at once', async () => {
    phone.goOffline();
    for (const title of ['One', 'Two']) await post(title);
    await phone.settle();
    phone.hold();
    phone.sync.sendNow();
    await comesBack((flight) => flight.respond(413));
    expect(await causes()).toEqual([null, null]);
  });

  test('by a tab that no longer leads', async () => {
    const { uid } = await post();
    await recordLastError(phone.db, -1, {
      kind: 'failed',
      failure: { kind: 'server', status: 500, why: '' },
      sentUids: [uid],
    });
    expect(await causes()).toEqual([null]);
  });
});

test('a server that stops half-way: what it decided is gone, the rest shows the cause', async () => {
  phone.goOffline();
  for (const title of ['One', 'Two']) await post(title);
  const second = must((await phone.db.outbox.orderBy('seq').toArray())[1], 'the second');
  harness.server.setFault(({ uid }) => uid === second.uid);
  phone.goOnline();
  await phone.settle();
  expect(await causes()).toEqual([expect.stringMatching(/had to stop/)]);
});
