import { afterEach, beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeJob } from '../../shared/testing/make.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { createDeferred } from '../testing/deferred.ts';
import { memoryCollections } from '../testing/memory-collections.ts';
import {
  mustBeInFlight,
  openDeviceHarness,
  type DeviceHarness,
  type DeviceHarnessOptions,
  type Phone,
} from '../testing/open-device-harness.ts';
import { postGate } from '../testing/post-gate.ts';
import type { CollectionsPort } from './ports.ts';

/* One exchange, where something fails between the request and the end of its answer. */

let clock: ManualClock;
let harness: DeviceHarness;
let phone: Phone;
const open = async (options: DeviceHarnessOptions = {}) => {
  harness = await openDeviceHarness({ clock, ...options });
  phone = await harness.as(harness.addHomeowner());
};
/** Collections in memory, with overrides. */
const openWith = (changes: Partial<CollectionsPort>, traced = false) =>
  open({
    traced,
    collections: () => ({ ...memoryCollections((hash) => harness.server.collections.segment(hash)), ...changes }),
  });
beforeEach(() => {
  clock = manualClock();
});
afterEach(() => harness.close());

const said = (event: string) =>
  phone.events.flatMap((each) => (each.kind === 'log' && each.event === event ? [each.detail] : []));
const phase = () => phone.sync.status.current().phase;
const waiting = () => phone.db.outbox.count();

test('[C8][C13] a request without an answer is aborted after 30 s', async () => {
  await open();
  phone.hold();
  phone.sync.sendNow();
  await phone.settle();
  clock.advance(29_999);
  expect([phone.inFlight().length, phase()]).toEqual([1, 'exchanging']);
  clock.advance(1);
  await expect.poll(phase).toBe('waiting');
  expect([phone.inFlight().length, said('loop-waiting')]).toEqual([0, ['timeout']]);
});

test('[C8] a tab that becomes visible during an exchange does not start another', async () => {
  await open();
  phone.hold();
  phone.sync.sendNow();
  await phone.settle();
  phone.sync.wakeUp('visible');
  phone.sync.wakeUp('timer');
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect([phone.inFlight().length, phase()]).toEqual([0, 'idle']);
});

test('a transport that throws counts as no network, and stops nothing', async () => {
  let throws = false;
  await open({
    ports: {
      transport: async (request) => {
        if (throws) throw new TypeError('an error');
        return { ok: true, answer: await harness.server.exchange(must(request.userId, 'a person'), request) };
      },
    },
  });
  throws = true;
  await postGate(phone);
  await phone.settle();
  expect(phone.sync.status.current()).toMatchObject({ phase: 'waiting', reach: 'offline' });
  expect(said('loop-waiting')).toEqual(['transport threw TypeError: an error']);
  throws = false;
  clock.advance(1_000);
  await phone.settle();
  expect([await waiting(), phase()]).toEqual([0, 'idle']);
});

test('[C6] a tab that is stopped while it packs its request sends nothing', async () => {
  const held = createDeferred<void>();
  let holds = false;
  const collections = memoryCollections(() => undefined);
  await openWith({ asked: async () => (holds ? await held.promise : undefined, collections.asked()) });
  phone.hold();
  holds = true;
  await postGate(phone);
  await phone.sync.stop();
  held.resolve();
  // What the tab had begun completes: the post is marked as sent, and no request is in flight.
  await expect.poll(async () => (await phone.db.outbox.toCollection().first())?.state).toBe('sent');
  await phone.db.meta.count();
  expect(phone.inFlight()).toEqual([]);
});

test('stopped while a request is in flight, it aborts that, becomes idle and leaves no timer', async () => {
  await open();
  phone.hold();
  await postGate(phone);
  await phone.settle();
  await phone.sync.stop();
  expect(phone.inFlight()).toEqual([]);
  expect(phone.sync.status.current()).toMatchObject({ phase: 'idle', isAsking: false, isLeader: false });
  clock.advance(100);
  await phone.db.meta.count();
  expect(clock.next()).toBeUndefined();
  phone.sync.sendNow();
  expect(phone.sync.status.current().phase).toBe('idle');
});

test('stopped during its back-off, it leaves no timer either', async () => {
  await open();
  phone.hold();
  await postGate(phone);
  await phone.settle();
  mustBeInFlight(phone).respond(503, { 'Retry-After': '40' });
  await phone.settle();
  await phone.sync.stop();
  expect(phase()).toBe('idle');
  clock.advance(100);
  await phone.db.meta.count();
  expect(clock.next()).toBeUndefined();
});

test('[C3] an answer to a request whose cookie has changed since is discarded, and requested again', async () => {
  await open();
  harness.server.write((rows) => {
    const job = makeJob({ userId: phone.userId });
    rows.jobs.set(job.id, job);
  });
  await harness.sync(phone);
  phone.hold();
  await postGate(phone);
  await phone.settle();
  await phone.db.meta.delete('cookie');
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect([said('answer-discarded'), said('loop-waiting'), phase(), await waiting()]).toEqual([
    ['other-question'],
    ['other-question'],
    'waiting',
    1,
  ]);
  phone.goOnline();
  await phone.settle();
  expect([phase(), await waiting(), await phone.db.jobs.count()]).toEqual(['idle', 0, 2]);
});

test('[C3] so is a reset: what another tab has applied since is kept', async () => {
  await open();
  phone.hold();
  phone.sync.sendNow();
  await phone.settle();
  harness.server.bumpView(phone.userId);
  await phone.db.meta.put({ key: 'cookie', value: 'of another tab' });
  await mustBeInFlight(phone).deliver();
  await phone.settle();
  expect([said('answer-discarded'), (await phone.db.meta.get('cookie'))?.value]).toEqual([
    ['other-question'],
    'of another tab',
  ]);
});

test('[C6] a leader that finds another epoch than its own steps down, and leads again under a new one', async () => {
  await open();
  phone.hold();
  await postGate(phone);
  await phone.settle();
  const { epoch } = must(await phone.db.meta.get('leader'), 'a leader').value as { epoch: number };
  await phone.db.meta.put({ key: 'leader', value: { epoch: epoch + 1, beat: 0 } });
  await mustBeInFlight(phone).deliver();
  await expect.poll(() => phone.sync.status.current().isLeader).toBe(false);
  expect(said('answer-discarded')).toEqual(['deposed']);
  harness.network.setMode(phone.name, 'online');
  await expect.poll(async () => (clock.advance(100), waiting())).toBe(0);
  expect((await phone.db.meta.get('leader'))?.value).toMatchObject({ epoch: epoch + 2 });
  expect(harness.server.decisions).toHaveLength(1);
});

test.each<['lineage' | 'view', number]>([
  ['lineage', 1],
  ['view', 0],
])('[P6] a reset because of %s forgets the collections’ versions: %i times', async (reason, times) => {
  let forgotten = 0;
  await openWith({ forgetVersions: async () => void (forgotten += 1) });
  if (reason === 'view') harness.server.bumpView(phone.userId);
  else harness.server.changeTimeline();
  await harness.sync(phone);
  expect([said('reset'), forgotten]).toEqual([[reason], times]);
});

test('[C2] a collection that cannot be written holds nothing else up; the log has the name of the error and not its message', async () => {
  const errors: unknown[] = [
    new RangeError('Aroha’s row'),
    new DOMException('Aroha’s row', 'DataError'),
    'Aroha’s row',
  ];
  let more = 0;
  await openWith({
    apply: async () => {
      const error = errors.shift();
      if (error !== undefined) throw error;
    },
    hasMoreToAsk: async () => ((more += 1), false),
  });
  const before = more;
  for (let round = 0; round < 3; round += 1) {
    await postGate(phone);
    await harness.sync(phone);
  }
  expect([await waiting(), await phone.db.jobs.count(), phase()]).toEqual([0, 3, 'idle']);
  expect(said('shelf-fault')).toEqual(['RangeError', 'DataError', 'string']);
  expect(more).toBeGreaterThan(before);
});

test('[C2] collections are asked whether they have more only after a whole answer that they applied', async () => {
  const calls: string[] = [];
  let fails = false;
  await openWith({
    apply: async () => {
      calls.push('takes');
      if (fails) throw new Error('no');
    },
    hasMoreToAsk: async () => (calls.push('has more?'), false),
  });
  calls.length = 0;
  harness.server.setPageSize(1);
  for (let at = 0; at < 2; at += 1) {
    harness.server.write((rows) => {
      const job = makeJob({ userId: phone.userId });
      rows.jobs.set(job.id, job);
    });
  }
  phone.hold();
  phone.sync.sendNow();
  for (let page = 0; page < 3; page += 1) {
    await phone.settle();
    await phone.inFlight()[0]?.deliver();
  }
  await phone.settle();
  expect(calls).toEqual(['takes', 'takes', 'has more?']);
  fails = true;
  calls.length = 0;
  phone.goOnline();
  await phone.settle();
  expect(calls).toEqual(['takes']);
});

test('[I5] a pending mutation whose replay throws is named in the log, and holds nothing up', async () => {
  await open();
  phone.goOffline();
  const { uid } = await postGate(phone);
  // As a release with a defect would have left it.
  await phone.db.outbox
    .where('uid')
    .equals(uid)
    .modify((entry) => void Object.assign(entry, { base: undefined }));
  harness.server.setFault(() => true);
  harness.server.write((rows) => {
    const job = makeJob({ userId: phone.userId });
    rows.jobs.set(job.id, job);
  });
  phone.goOnline();
  await phone.settle();
  expect([said('replay-fault'), await waiting(), phase()]).toEqual([[uid], 1, 'waiting']);
});

test('the log entry of a big request names its first twenty mutations and counts the others', async () => {
  await open({ traced: true });
  phone.goOffline();
  const uids: string[] = [];
  for (let at = 0; at < 22; at += 1) uids.push((await postGate(phone, `Job ${at}`)).uid);
  await phone.settle();
  phone.goOnline();
  await phone.settle();
  const line = said('sent').at(-1)?.split(' ') ?? [];
  expect(line.slice(1)).toEqual([...uids.slice(0, 20), 'and', '2', 'more']);
  // A request without mutations leaves no entry.
  const before = said('sent').length;
  await harness.sync(phone);
  expect(said('sent')).toHaveLength(before);
});
