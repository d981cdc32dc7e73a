import { afterEach, expect, test } from 'vitest';
import {
  mustBeInFlight,
  openDeviceHarness,
  type DeviceHarness,
  type DeviceHarnessOptions,
  type Phone,
} from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';

/* The only mutation that waits is marked as sent in the transaction that writes it, where it is sent next (C7). */

let harness: DeviceHarness;
let phone: Phone;
afterEach(() => harness.close());

/** A phone that has everything, whose next mutation goes at once. */
async function open(options: DeviceHarnessOptions = {}): Promise<void> {
  harness = await openDeviceHarness(options);
  phone = await harness.as(harness.addHomeowner());
  await phone.db.rows.read();
  await harness.sync(phone);
  await harness.sync(phone);
}

/** Everything that the outbox's entries were on the disk, one after the other. */
function watchOutbox(): string[] {
  const states: string[] = [];
  const before = new Set(phone.db.rows.stored.outbox.keys());
  phone.db.rows.subscribe(() => {
    const own = [...phone.db.rows.stored.outbox.values()].filter(({ uid }) => !before.has(uid));
    const now = own.map(({ state, attempts }) => `${state} ${attempts}`).join();
    if (now !== '' && now !== states.at(-1)) states.push(now);
  });
  return states;
}

const outboxOf = async () => (await phone.db.outbox.toArray()).map(({ state, attempts }) => [state, attempts]);

test('[C7] it is written once, as sent, and its request leaves', async () => {
  await open();
  phone.hold();
  const written = watchOutbox();
  await postGate(phone);
  await phone.settle();
  expect([written, await outboxOf()]).toEqual([['sent 1'], [['sent', 1]]]);
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect([await outboxOf(), await phone.db.jobs.count()]).toEqual([[], 1]);
});

test('[C7] made while an exchange is under way, it waits for its turn as before', async () => {
  await open();
  phone.hold();
  await postGate(phone);
  await phone.settle();
  const written = watchOutbox();
  await postGate(phone);
  expect(written).toEqual(['new 0']);
});

test('[C7] without a session no request leaves, and it counts as never sent', async () => {
  let isReady = true;
  await open({ ports: { session: { isReady: async () => isReady, refresh: async () => 'signed-out' } } });
  isReady = false;
  const written = watchOutbox();
  await postGate(phone);
  await phone.settle();
  expect([written[0], await outboxOf()]).toEqual(['sent 1', [['new', 0]]]);
});

test('[C7] as the network goes, it counts as never sent', async () => {
  let asked = 0;
  let losesAt = Infinity;
  await open({ ports: { seemsOnline: () => (asked += 1) < losesAt } });
  losesAt = asked + 2;
  phone.loseServer();
  const written = watchOutbox();
  await postGate(phone);
  await phone.settle();
  expect([written[0], await outboxOf()]).toEqual(['sent 1', [['new', 0]]]);
});

test('[C7] after a 401 it counts as never sent', async () => {
  await open({ ports: { session: { isReady: async () => true, refresh: async () => 'signed-out' } } });
  harness.network.expireTokens(phone.userId);
  const written = watchOutbox();
  await postGate(phone);
  await phone.settle();
  expect([written[0], await outboxOf()]).toEqual(['sent 1', [['new', 0]]]);
});
