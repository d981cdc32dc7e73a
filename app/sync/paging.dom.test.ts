import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import type { ExchangeAnswer } from '../../shared/protocol/exchange.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { mustBeInFlight, openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
beforeEach(async () => {
  clock = manualClock();
  // A network that seems to be there: what is tried on it counts as sent (C7).
  harness = await openDeviceHarness({ clock, ports: { seemsOnline: () => true } });
  phone = await harness.as(harness.addHomeowner());
});
afterEach(() => harness.close());

const post = (title?: string) => postGate(phone, title);
const waiting = () => phone.db.outbox.count();
const asksOf = ({ request }: ReturnType<typeof mustBeInFlight>) => [
  ...request.mutations.map(({ uid }) => `takes ${uid}`),
  ...request.awaiting.map((uid) => `awaits ${uid}`),
];
const phase = () => phone.sync.status.current().phase;

const give = (count: number) => {
  for (let at = 0; at < count; at += 1) {
    harness.server.write((rows) => {
      const job = makeJob({ userId: phone.userId });
      rows.jobs.set(job.id, job);
    });
  }
};

test('pages come one after the other; outcomes only with the last; nothing new goes up between (P4)', async () => {
  phone.goOffline();
  const { uid } = await post();
  give(5);
  harness.server.setPageSize(2);
  phone.hold();
  phone.sync.sendNow();
  const asked: [number, number][] = [];
  for (;;) {
    await phone.settle();
    const flight = phone.inFlight()[0];
    if (flight === undefined) break;
    asked.push([flight.request.mutations.length, flight.request.awaiting.length]);
    if (asked.length === 2) await post('While paging');
    await flight.deliver();
  }
  expect(asked).toEqual([
    [1, 0],
    [0, 1],
    [0, 1],
    [1, 0],
  ]);
  expect(await phone.sync.waitFor(uid, 0)).toEqual({ kind: 'applied' });
  expect([await waiting(), await phone.db.jobs.count()]).toEqual([0, 7]);
});

test('a page awaits what its own question carried, and nothing else that was ever sent (P4, S1)', async () => {
  phone.goOffline();
  const [one, other] = [await post('First'), await post('Second')];
  phone.hold();
  phone.sync.sendNow();
  await phone.settle();
  // Too large for the server: from now on the second stays behind, marked as sent.
  mustBeInFlight(phone).respond(413);
  give(3);
  harness.server.setPageSize(2);
  const asked: string[][] = [];
  for (let page = 0; page < 2; page += 1) {
    await phone.settle();
    const flight = mustBeInFlight(phone);
    asked.push(asksOf(flight));
    await flight.deliver();
  }
  expect(asked).toEqual([[`takes ${one.uid}`], [`awaits ${one.uid}`]]);
  expect((await phone.db.outbox.toArray()).map(({ uid, state }) => [uid, state])).toContainEqual([other.uid, 'sent']);
});

test('a page does not await what the first page could not decide, and it is sent again after the last (P4, S1)', async () => {
  phone.goOffline();
  const [one, other] = [await post('First'), await post('Second')];
  give(3);
  harness.server.setPageSize(2);
  harness.server.setFault(({ uid }) => uid === other.uid);
  phone.hold();
  phone.sync.sendNow();
  const asked: string[][] = [];
  for (let page = 0; page < 3; page += 1) {
    await phone.settle();
    const flight = mustBeInFlight(phone);
    asked.push(asksOf(flight));
    await flight.deliver();
    harness.server.setFault(() => false);
  }
  expect(asked).toEqual([[`takes ${one.uid}`, `takes ${other.uid}`], [`awaits ${one.uid}`], [`takes ${other.uid}`]]);
});

test.each<[string, () => void]>([
  ['another lineage', () => harness.server.changeTimeline()],
  ['another view', () => harness.server.bumpView(phone.userId)],
  ['purged tombstones', () => harness.server.purgeTombstones()],
])('%s: everything is fetched again, what is gone goes, and the queue is kept', async (_what, reset) => {
  give(3);
  await harness.sync();
  phone.goOffline();
  await post();
  harness.server.write((rows) => rows.jobs.delete([...rows.jobs.keys()][0] ?? ''));
  reset();
  phone.goOnline();
  await phone.settle();
  expect([await phone.db.jobs.count(), await waiting(), harness.server.rows.jobs.size]).toEqual([3, 0, 3]);
});

const page: ExchangeAnswer = {
  kind: 'delta',
  puts: {},
  removes: {},
  shelves: {},
  outcomes: [],
  cookie: 'page',
  more: true,
  serverTime: '2026-05-01T00:00:00.000Z',
};
test.each<[string, ExchangeAnswer[], number]>([
  ['resets for ever', [{ kind: 'reset', reason: 'lineage' }], 3],
  ['resets after each first page', [page, { kind: 'reset', reason: 'too-old' }], 6],
  ['gives the same page for ever', [page], 2],
])('a server that %s is not asked for ever', async (_what, answers, expected) => {
  await harness.close();
  let asked = 0;
  const transport = async () => {
    asked += 1;
    return { ok: true as const, answer: must(answers[(asked - 1) % answers.length], 'an answer') };
  };
  harness = await openDeviceHarness({ clock, ports: { transport } });
  phone = await harness.as(harness.addHomeowner());
  expect([asked, phase()]).toEqual([expected, 'waiting']);
});
