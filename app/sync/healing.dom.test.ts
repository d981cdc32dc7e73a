import { afterEach, beforeEach, expect, it } from 'vitest';
import { day } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { openDeviceHarness, type DeviceHarness, type Phone } from '../testing/open-device-harness.ts';
import { keepDecided, meetTimeline } from './journal.ts';
import { discard } from './outbox.ts';

/*
 * What a device does where the server's database was restored (C16). The server is the real exchange over the store in
 * memory; its own half runs on PostgreSQL in sync-server/sync/healing.pg.test.ts.
 */

let harness: DeviceHarness;
let clock: ReturnType<typeof manualClock>;
beforeEach(async () => {
  clock = manualClock();
  harness = await openDeviceHarness({ clock });
});
afterEach(() => harness.close());

const post = async (phone: Phone, title = 'Fix the gate') => {
  const id = makeTestId();
  const args = { id, title, description: 'It sags.', locationId: 'l', urgency: 'soon' as const, categoryId: 'c' };
  return { id, ...(await phone.sync.mutate('job.post', args)) };
};
const decidedOn = (uid: string) =>
  harness.server.decisions.filter((one) => one.uid === uid).map(({ status }) => status);

it('[C16][I3] what was applied after the backup is on the server again, under the same uid, and stays on the screen', async () => {
  const phone = await harness.as(harness.addHomeowner());
  await harness.sync();
  const restore = harness.server.backUp();
  const job = await post(phone);
  await harness.sync();
  expect(await phone.db.journal.toArray()).toMatchObject([{ uid: job.uid, timeline: 'timeline-1' }]);

  restore();
  expect(harness.server.rows.jobs.has(job.id)).toBe(false);
  await harness.sync();
  expect(harness.server.rows.jobs.get(job.id)).toMatchObject({ title: 'Fix the gate' });
  expect(decidedOn(job.uid)).toEqual(['applied', 'applied']);
  expect(await phone.db.jobs.get(job.id)).toMatchObject({ title: 'Fix the gate' });
  expect([await phone.db.outbox.count(), await phone.db.refused.count()]).toEqual([0, 0]);
  expect(await phone.db.journal.toArray()).toMatchObject([{ uid: job.uid, timeline: 'timeline-2' }]);
  expect(await phone.db.meta.get('restored')).toBeUndefined();
});

it('[C16][I2] what came after the backup is decided in the order in which it was made, before what waits', async () => {
  const phone = await harness.as(harness.addHomeowner());
  await harness.sync();
  const restore = harness.server.backUp();
  const job = await post(phone, 'First');
  const edit = (title: string, before: string) =>
    phone.sync.mutate('job.edit', { id: job.id, set: { title }, base: { title: before } });
  await edit('Second', 'First');
  await harness.sync();
  await edit('Third', 'Second');
  await harness.sync();
  phone.goOffline();
  await edit('Fourth', 'Third');
  restore();
  phone.goOnline();
  await harness.sync();
  expect(harness.server.rows.jobs.get(job.id)?.title).toBe('Fourth');
  expect(await phone.db.refused.count()).toBe(0);
});

it('[C16] what came back stands once among what was sent in the last day', async () => {
  const phone = await harness.as(harness.addHomeowner());
  await harness.sync();
  const restore = harness.server.backUp();
  const job = await post(phone);
  await harness.sync();
  restore();
  await harness.sync();
  expect(decidedOn(job.uid)).toEqual(['applied', 'applied']);
  expect((await phone.db.meta.get('sent'))?.value).toMatchObject([{ uid: job.uid }]);
});

it('[C16][I6] what waits to be restored is said to be neither applied nor sent, and where it is refused later it never was', async () => {
  const [owner, tradie] = [await harness.as(harness.addHomeowner()), await harness.as(harness.addTradie())];
  await harness.sync();
  const restore = harness.server.backUp();
  const job = await post(owner);
  await harness.sync();
  const { uid } = await tradie.sync.mutate('interest.express', { id: makeTestId(), jobId: job.id });
  await harness.sync();
  const notes = async () => {
    const read = await tradie.db.meta.bulkGet(['applied', 'sent']);
    return read.map((one) => (one?.value as { uid: string }[] | undefined)?.filter((note) => note.uid === uid).length);
  };
  expect(await notes()).toEqual([1, 1]);
  owner.goOffline();
  restore();
  await harness.sync(tradie);
  expect([await notes(), await tradie.db.outbox.count()]).toEqual([[0, 0], 1]);
  clock.jump(3 * day);
  await harness.sync(tradie);
  expect([await notes(), await tradie.db.refused.count()]).toEqual([[0, 0], 1]);
});

it('[C16] what the backup had is not sent again, and another restore still finds it in the journal', async () => {
  const phone = await harness.as(harness.addHomeowner());
  const early = await post(phone, 'Early');
  await harness.sync();
  await post(phone, 'Later');
  await harness.sync();
  const restore = harness.server.backUp();
  await post(phone, 'Lost');
  await harness.sync();
  restore();
  await harness.sync();
  expect(decidedOn(early.uid)).toEqual(['applied']);
  expect(await phone.db.journal.get(early.uid)).toMatchObject({ timeline: 'timeline-2' });
});

it('[C16] an interest in a job that has not come back is shown as being restored, and arrives once the job is there', async () => {
  const [owner, tradie] = [await harness.as(harness.addHomeowner()), await harness.as(harness.addTradie())];
  await harness.sync();
  const restore = harness.server.backUp();
  const job = await post(owner);
  await harness.sync();
  const interest = makeTestId();
  const { uid } = await tradie.sync.mutate('interest.express', { id: interest, jobId: job.id });
  await harness.sync();
  expect(decidedOn(uid)).toEqual(['applied']);

  owner.goOffline();
  restore();
  await harness.sync(tradie);
  expect(await tradie.db.outbox.toArray()).toMatchObject([{ uid, restoring: 'not-found' }]);
  expect(await tradie.db.refused.count()).toBe(0);
  // What is made meanwhile goes through.
  const tradieRow = (await tradie.db.tradies.toArray())[0]!;
  await tradie.sync.mutate('profile.edit', {
    id: tradieRow.id,
    set: { description: 'Gates' },
    base: { description: tradieRow.description },
  });
  await harness.sync(tradie);
  expect(harness.server.rows.tradies.get(tradieRow.id)?.description).toBe('Gates');
  expect(await tradie.db.outbox.count()).toBe(1);

  owner.goOnline();
  await harness.sync(owner);
  await harness.sync();
  expect(decidedOn(uid)).toEqual(['applied', 'applied']);
  expect(harness.server.rows.interests.has(interest)).toBe(true);
  expect(await tradie.db.outbox.count()).toBe(0);
});

it('[C16] what no device brings back leaves, and the person is told how much, once', async () => {
  const [owner, tradie] = [await harness.as(harness.addHomeowner()), await harness.as(harness.addTradie())];
  const job = await post(owner);
  await harness.sync();
  const restore = harness.server.backUp();
  const id = makeTestId();
  await tradie.sync.mutate('interest.express', { id, jobId: job.id });
  await harness.sync();
  expect(await owner.db.interests.count()).toBe(1);
  tradie.goOffline();
  restore();
  await harness.sync(owner);
  expect(await owner.db.interests.count()).toBe(0);
  expect((await owner.db.meta.get('restored'))?.value).toEqual({ gone: 0, left: [['interests', id]], wentBack: 0 });
});

it('[C16] what was removed in the ordinary way while the phone was away is not counted among what a restore has lost', async () => {
  const [owner, tradie] = [await harness.as(harness.addHomeowner()), await harness.as(harness.addTradie())];
  const job = await post(owner);
  await harness.sync();
  const interest = makeTestId();
  await tradie.sync.mutate('interest.express', { id: interest, jobId: job.id });
  await harness.sync();
  expect(await owner.db.interests.count()).toBe(1);
  owner.goOffline();
  harness.server.write(({ interests }) => void interests.delete(interest));
  harness.server.changeTimeline();
  owner.goOnline();
  await harness.sync(owner);
  expect(await owner.db.interests.count()).toBe(0);
  expect((await owner.db.meta.get('restored'))?.value).toBeUndefined();
});

it('[C16] a dead letter that the restore has lost is sent again, and one that its person has dealt with is not', async () => {
  const phone = await harness.as(harness.addHomeowner());
  await harness.sync();
  const restore = harness.server.backUp();
  phone.goOffline();
  const [dealtWith, waits] = [await post(phone, 'One'), await post(phone, 'Two')];
  for (const entry of await phone.db.outbox.toArray()) await harness.server.writeDeadLetter(phone.userId, entry);
  phone.goOnline();
  await harness.sync();
  expect((await phone.db.refused.toArray()).map(({ status }) => status)).toEqual(['parked', 'parked']);
  await discard(phone.db, dealtWith.uid);
  restore();
  await harness.sync();
  expect([await phone.db.refused.count(), await phone.db.outbox.count()]).toEqual([0, 0]);
  expect(decidedOn(waits.uid)).toEqual(['parked', 'applied']);
  expect(decidedOn(dealtWith.uid)).toEqual(['parked']);
});

const entryOf = (seq: number, bytes = 0) => ({
  uid: makeTestId(),
  seq,
  name: 'job.close' as const,
  args: { text: 'x'.repeat(bytes) },
  at: '2026-11-21T00:00:00.000Z',
  base: [],
  state: 'sent' as const,
  attempts: 1,
  lastError: null,
});
const applied = (entry: ReturnType<typeof entryOf>) => ({
  entry,
  outcome: { uid: entry.uid, status: 'applied' as const },
});
const position = { timeline: 't', version: '5', known: {} };
const now = Date.parse('2026-11-21T00:00:00.000Z');
const keep = ({ db }: Phone, entries: ReturnType<typeof entryOf>[], at = now, version = '5') =>
  db.transaction('rw', [db.journal, db.keptPhotos], () =>
    keepDecided(db, entries.map(applied), {
      journal: { ...position, version },
      serverTime: new Date(at).toISOString(),
    }),
  );
const seqsIn = async ({ db }: Phone) =>
  (await db.journal.toArray())
    .flatMap((run) => [run, ...(run.more ?? [])].map(({ seq }) => seq))
    .toSorted((a, b) => a - b);

it('[C16] the journal holds a change for 30 days, by the server’s clock', async () => {
  const phone = await harness.as(harness.addHomeowner());
  await keep(phone, [entryOf(1)], now - 31 * day);
  await keep(phone, [entryOf(2)], now - 29 * day);
  await keep(phone, [entryOf(3)], now);
  expect(await seqsIn(phone)).toEqual([2, 3]);
});

it('[C16] the journal holds 2,000 changes and 2 MB at most; the oldest leave first, and together what was decided together', async () => {
  const phone = await harness.as(harness.addHomeowner());
  const from = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);
  const keepMany = (seqs: number[]) =>
    keep(
      phone,
      seqs.map((seq) => entryOf(seq)),
    );
  for (const seq of [0, 1, 2]) await keep(phone, [entryOf(seq)]);
  await keepMany(from(3, 2_000));
  expect(await seqsIn(phone)).toEqual(from(3, 2_000));
  expect(await phone.db.journal.count()).toBe(20);
  await keepMany(from(2_003, 99));
  expect(await seqsIn(phone)).toEqual(from(3, 2_099));
  await keepMany([2_102]);
  expect(await seqsIn(phone)).toEqual(from(103, 2_000));
  await keep(phone, [entryOf(3_000, 999_500)]);
  await keep(phone, [entryOf(3_001, 999_500)]);
  expect((await seqsIn(phone)).slice(0, 2)).toEqual([2_102, 3_000]);
});

it('[C16][I2][I3] what was sent after a day without signal is kept in a few records, and all of it is given back in its order', async () => {
  const phone = await harness.as(harness.addHomeowner());
  await harness.sync();
  const restore = harness.server.backUp();
  phone.goOffline();
  const made = [];
  for (let at = 0; at < 130; at += 1) made.push(await post(phone, `Job ${at}`));
  for (const [at, { id }] of made.slice(0, 5).entries())
    await phone.sync.mutate('job.edit', { id, set: { title: `Edited ${at}` }, base: { title: `Job ${at}` } });
  const uids = (await phone.db.outbox.toArray()).map(({ uid }) => uid);
  phone.goOnline();
  await harness.sync();
  expect(await phone.db.journal.count()).toBe(3);
  restore();
  await harness.sync();
  expect(harness.server.decisions.slice(uids.length).map(({ uid, status }) => [uid, status])).toEqual(
    uids.map((uid) => [uid, 'applied']),
  );
  expect(harness.server.rows.jobs.size).toBe(130);
  expect(harness.server.rows.jobs.get(must(made[4], 'a job').id)).toMatchObject({ title: 'Edited 4' });
});

it('[C16] what is safe leaves the journal', async () => {
  const phone = await harness.as(harness.addHomeowner());
  const { db } = phone;
  await keep(phone, [entryOf(1)], now, '5');
  await keep(phone, [entryOf(2)], now, '6');
  const answer = (safe: string) =>
    db.transaction('rw', [db.journal, db.keptPhotos, db.outbox, db.refused, db.meta], () =>
      meetTimeline(db, { ...position, safe }),
    );
  await answer('5');
  expect(await seqsIn(phone)).toEqual([1, 2]);
  await answer('6');
  expect(await seqsIn(phone)).toEqual([2]);
});
