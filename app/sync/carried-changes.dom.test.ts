import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CarriedChange } from '../../shared/protocol/poke.ts';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { memoryCollections } from '../testing/memory-collections.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';

/*
 * Changes that come over the stream. The stream is a double: what it sends, and when, is the server's own in
 * carried-changes.pg.test.ts and in the simulator.
 */

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
let send: (change: CarriedChange) => void;
let poke: () => void;

beforeEach(async () => {
  clock = manualClock();
  harness = await openDeviceHarness({
    clock,
    ports: {
      pokes: (onPoke, _signal, onChange) => {
        poke = onPoke;
        send = onChange;
      },
    },
  });
  phone = await harness.as(harness.addHomeowner());
  await harness.sync(phone);
  phone.hold();
});
afterEach(() => harness.close());

const cookie = async () => (await phone.db.meta.get('cookie'))?.value as string;
const titles = async () => (await phone.db.jobs.toArray()).map(({ title }) => title);

/**
 * A job of this person's, as another of their devices posted it; from where this device stands, unless said otherwise.
 */
async function change(
  title: string,
  { from, to = makeTestId(), ...other }: Partial<Record<'from' | 'to' | 'userId', string>> = {},
) {
  const carried: CarriedChange = {
    userId: phone.userId,
    asked: { cookie: from ?? (await cookie()), shelves: {}, timelines: {} },
    answer: {
      kind: 'delta',
      puts: { jobs: [makeJob({ userId: phone.userId, title })] },
      removes: {},
      shelves: {},
      outcomes: [],
      cookie: to,
      more: false,
      serverTime: new Date(clock.now()).toISOString(),
    },
    ...other,
  };
  return carried;
}

test('[P10][C2] a change that starts where the device stands is applied, and nothing is asked', async () => {
  const one = await change('From my other phone');
  send(one);
  await expect.poll(titles).toEqual(['From my other phone']);
  await phone.settle();
  expect(await cookie()).toBe(one.answer.cookie);
  expect(phone.inFlight()).toEqual([]);
});

const shownTitles = () => [...phone.db.rows.shown.jobs.values()].map(({ title }) => title);

test('[P10][C2] it is shown before the disk is asked, and taken back where the disk stands elsewhere', async () => {
  await phone.db.rows.read();
  const one = await change('At once');
  const shown: string[] = [];
  phone.db.rows.subscribe(() => void shown.push(shownTitles().join()));
  const read = phone.db.meta.get.bind(phone.db.meta);
  let asked = 0;
  phone.db.meta.get = ((key: 'cookie') => {
    asked += 1;
    return read(key).then((entry) => (entry?.key === 'cookie' ? { ...entry, value: 'elsewhere' } : entry));
  }) as typeof phone.db.meta.get;
  phone.db.rows.subscribe(() => asked === 0 && shown.push('first'));
  send(one);
  await expect.poll(() => phone.inFlight().length).toBe(1);
  expect([shown.slice(0, 2), shownTitles(), await titles()]).toEqual([['At once', 'first'], [], []]);
});

test('[P10] the same change twice is applied once, and the second asks nothing', async () => {
  const one = await change('Once');
  send(one);
  send(one);
  await expect.poll(titles).toEqual(['Once']);
  await phone.settle();
  expect(phone.inFlight()).toEqual([]);
});

test('[P10] two changes that follow each other closely are applied in their order', async () => {
  const one = await change('First', { to: 'then' });
  send(one);
  send(await change('Second', { from: 'then' }));
  await expect.poll(async () => (await titles()).toSorted()).toEqual(['First', 'Second']);
  await phone.settle();
  expect(phone.inFlight()).toEqual([]);
});

test('[P10][C3] a change that starts elsewhere writes nothing, and the device asks', async () => {
  const before = await cookie();
  send(await change('From elsewhere', { from: 'another cookie' }));
  await expect.poll(() => phone.inFlight().length).toBe(1);
  expect([await titles(), await cookie()]).toEqual([[], before]);
});

test('[P10][S9] a change for another person writes nothing', async () => {
  send(await change('Not mine', { userId: makeTestId() }));
  await expect.poll(() => phone.inFlight().length).toBe(1);
  expect(await titles()).toEqual([]);
});

test('[P10][I6] a change that comes during an exchange waits for it, and is dropped where the answer has moved the device on', async () => {
  const during = await change('During');
  poke();
  await expect.poll(() => phone.inFlight().length).toBe(1);
  send({ ...during, asked: { ...during.asked, cookie: 'moved on since' } });
  expect(await titles()).toEqual([]);
  phone.goOnline();
  await harness.sync(phone);
  expect(await titles()).toEqual([]);
});

test.each([
  ['the device stands there', true, ['shown', 'written', 'settled']],
  ['the device stands elsewhere on its disk', false, ['shown', 'settled']],
])('[P10][C2] what a change brings to a list is shown before the disk is asked; %s', async (_case, stands, told) => {
  const calls: string[] = [];
  await harness.close();
  harness = await openDeviceHarness({
    clock,
    ports: { pokes: (_onPoke, _signal, onChange) => void (send = onChange) },
    collections: () => ({
      ...memoryCollections((hash) => harness.server.collections.segment(hash)),
      standingAt: async (versions) => (stands ? { versions, timelines: {}, marks: {} } : undefined),
      showEarly: () => {
        calls.push('shown');
        return () => void calls.push('settled');
      },
      apply: async () => void calls.push('written'),
    }),
  });
  phone = await harness.as(harness.addHomeowner());
  await harness.sync(phone);
  phone.hold();
  phone.db.rows.subscribe(() => undefined);
  await phone.db.rows.read();
  calls.length = 0;
  send(await change('From my other phone'));
  await expect.poll(() => calls).toEqual(told);
});
