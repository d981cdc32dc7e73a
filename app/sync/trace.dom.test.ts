import { expect, test } from 'vitest';
import { openPersonDb } from '../db/person-db.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { openDeviceHarness } from '../testing/open-device-harness.ts';
import { createTrace } from './trace.ts';
import { postGate } from '../testing/post-gate.ts';

test('a device has one id for a person, also where two tabs ask at once, and another for another person', async () => {
  const [one, again, other] = [
    openPersonDb('a', { name: 'trace-a' }),
    openPersonDb('a', { name: 'trace-a' }),
    openPersonDb('b', { name: 'trace-b' }),
  ];
  const [first, second, third] = await Promise.all([one, again, other].map((db) => createTrace(db).deviceId()));
  expect(first).toMatch(/^[\w-]{8,64}$/);
  expect(second).toBe(first);
  expect(third).toMatch(/^[\w-]{8,64}$/);
  expect(third).not.toBe(first);
  for (const db of [one, again, other]) db.close();
});

test('storage that fails leaves the exchange without an id, not without an answer', async () => {
  const db = openPersonDb('c', { name: 'trace-c' });
  await db.open();
  const broken = new Proxy(db, {
    get: (of, key) =>
      key === 'transaction' ? () => Promise.reject(new Error('said by the test')) : (Reflect.get(of, key) as unknown),
  });
  expect(await createTrace(broken).deviceId()).toBeUndefined();
  db.close();
});

test('the device’s log says which change was sent with which request, and which came back without an answer', async () => {
  // A network that seems to be there: what is tried on it counts as sent (C7).
  const harness = await openDeviceHarness({
    clock: manualClock(),
    traced: true,
    ports: { seemsOnline: () => true },
  });
  const phone = await harness.as(harness.addHomeowner());
  const post = () => postGate(phone);
  const { uid: posted } = await post();
  await phone.settle();
  const lines = async (event: string) =>
    (await phone.db.log.toArray()).filter((line) => line.event === event).map(({ detail }) => detail);
  const [sent] = await lines('sent');
  const [requestId, uid] = sent?.split(' ') ?? [];
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(uid).toBe(posted);
  phone.goOffline();
  await post();
  await phone.settle();
  expect((await lines('unanswered')).length).toBeGreaterThan(0);
  expect((await lines('sent')).join()).not.toContain('gate');
  await harness.close();
});
