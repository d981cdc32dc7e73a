import { beforeEach, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { maxMutations, maxRequestBytes } from '../../shared/protocol/exchange.ts';
import { makeTestId } from '../../shared/testing/make.ts';
import { openPersonDb, type OutboxEntry, type PersonDb } from '../db/person-db.ts';
import { cancel } from './outbox.ts';
import { markSent, packRequest, type PackOptions } from './pack-request.ts';

const at = '2026-05-01T00:00:00.000Z';
const roomForTheRest = 24 * 1024;

let db: PersonDb;
beforeEach(async () => {
  db = openPersonDb(makeTestId());
  await db.meta.put({ key: 'leader', value: { epoch: 1, beat: 0 } });
});

const wait = async (args: readonly unknown[], changes: Partial<OutboxEntry> = {}) => {
  const entries = args.map((each) => ({
    uid: makeTestId(),
    name: 'job.close' as const,
    args: each,
    at,
    state: 'new' as const,
    attempts: 0,
    lastError: null,
    base: [],
    ...changes,
  }));
  await db.outbox.bulkAdd(entries as unknown as OutboxEntry[]);
  return entries.map(({ uid }) => uid);
};
const packOptions: PackOptions = {
  epoch: 1,
  userId: 'u',
  collections: { versions: {}, timelines: {}, marks: {} },
  limit: maxMutations,
  paging: undefined,
  seemsOnline: () => true,
  heardOffline: false,
};
const pack = async (options: Partial<PackOptions> = {}) => {
  const packed = await packRequest(db, { ...packOptions, ...options });
  return { uids: packed?.request.mutations.map(({ uid }) => uid), awaiting: packed?.request.awaiting };
};

test('[C4] on a device that was cleared meanwhile no tab leads, and nothing is packed', async () => {
  await db.meta.clear();
  expect(await pack()).toEqual({ uids: undefined, awaiting: undefined });
});

test('[P2] the oldest mutations, as many as the limit says, and never more than 500', async () => {
  const uids = await wait(Array.from({ length: maxMutations + 1 }, () => ({})));
  expect((await pack({ limit: 3 })).uids).toEqual(uids.slice(0, 3));
  expect((await pack({ limit: 10_000 })).uids).toEqual(uids.slice(0, maxMutations));
});

test('[P2] of seven hundred that wait no more are read than one request carries', async () => {
  await wait(Array.from({ length: maxMutations + 200 }, () => ({})));
  let read = 0;
  db.outbox.hook('reading', (entry) => {
    read += 1;
    return entry;
  });
  await pack({ limit: 10_000 });
  expect(read).toBe(maxMutations);
});

/** Args that make a mutation this many bytes long on the wire, with letters of two bytes. */
function ofBytes(bytes: number): unknown {
  const frame = JSON.stringify({ uid: makeTestId(), name: 'job.close', args: { text: '' }, at }).length;
  const letters = bytes - frame;
  return { text: 'ā'.repeat(Math.floor(letters / 2)) + 'a'.repeat(letters % 2) };
}

test('[P2] as many as fit into 512 KiB beside the rest of the request, counted in bytes, not letters', async () => {
  const room = maxRequestBytes - roomForTheRest;
  // Each adds a comma or a bracket.
  const [one, other] = await wait([ofBytes(room - 1_000 - 1), ofBytes(1_000 - 1)]);
  expect((await pack()).uids).toEqual([one, other]);
  await db.outbox.clear();
  const [first] = await wait([ofBytes(room - 1_000 - 1), ofBytes(1_000)]);
  expect((await pack()).uids).toEqual([first]);
});

test('[P2] a day of jobs posted without signal, 500 of some 600 bytes each, goes in one request', async () => {
  await wait(Array.from({ length: maxMutations }, () => ofBytes(600)));
  expect((await pack()).uids).toHaveLength(maxMutations);
});

test('[P2][I15] a mutation that is too big by itself is sent alone, so that the server decides it', async () => {
  const [big] = await wait([ofBytes(maxRequestBytes + 1), {}]);
  expect((await pack()).uids).toEqual([big]);
});

test('[C7] what is packed is marked as sent, with one more attempt and no earlier error; the rest is left as it is', async () => {
  await wait([{}, {}], { attempts: 2, lastError: 'Busy.' });
  await pack({ limit: 1 });
  expect(
    (await db.outbox.orderBy('seq').toArray()).map(({ state, attempts, lastError }) => [state, attempts, lastError]),
  ).toEqual([
    ['sent', 3, null],
    ['new', 2, 'Busy.'],
  ]);
});

test('[C7] where there seems to be no network, only mutations sent before are packed, up to the first that was not', async () => {
  const sent = await wait([{}, {}], { state: 'sent' });
  await wait([{}]);
  await wait([{}], { state: 'sent' });
  expect((await pack({ seemsOnline: () => false })).uids).toEqual(sent);
  expect((await pack({ seemsOnline: () => false, heardOffline: true })).uids).toHaveLength(4);
});

test('[P4] while it pages it sends nothing, and awaits what the first page carried and is still in the outbox', async () => {
  const [one, , other] = await wait([{}, {}, {}], { state: 'sent' });
  expect(await pack({ paging: [other ?? '', makeTestId(), one ?? ''] })).toEqual({ uids: [], awaiting: [one, other] });
  expect(await pack({ paging: [] })).toEqual({ uids: [], awaiting: [] });
  expect((await pack({ paging: undefined })).awaiting).toEqual([]);
});

const from = { timeline: 'before', version: '5' };

test('[S13][C16] six hundred that are being restored do not keep back what follows; each of them is asked for in its turn', async () => {
  const restoring = await wait(
    Array.from({ length: 600 }, () => ({ id: makeTestId() })),
    { restoring: 'not-found', from, state: 'sent' },
  );
  const [later] = await wait([{ id: makeTestId() }]);
  const asked = new Set<string>();
  for (let request = 0; request < 6; request += 1) {
    const uids = (await pack()).uids ?? [];
    expect(uids.at(-1)).toBe(later);
    for (const uid of uids.slice(0, -1)) asked.add(uid);
  }
  expect([...asked].toSorted()).toEqual(restoring.toSorted());
});

test('[S13][C16][I2] an edit of a job is not refused as stale because the earlier one, of more than a request asks for, has not come back', async () => {
  const ids = Array.from({ length: 101 }, () => makeTestId());
  const restoring = await wait(
    ids.map((id) => ({ id })),
    { restoring: 'not-found', from, state: 'sent' },
  );
  const photo = { id: makeTestId(), jobId: ids[100], url: 'job-photos/j/1.jpg' };
  const [edit] = await wait([{ id: ids[100], set: { title: 'Third' }, base: { title: 'Second' } }], {
    name: 'job.edit',
  });
  const [attached] = await wait([photo], { name: 'photo.attach' });
  const [about] = await wait([{ id: photo.id }]);
  expect((await pack()).uids).toEqual(restoring.slice(0, 100));
  expect((await pack()).uids?.slice(-4)).toEqual([restoring[100], edit, attached, about]);
});

test('[S13][C16][I2] of two changes of one interest that are being restored, the later is not asked for without the earlier', async () => {
  const id = makeTestId();
  const first = await wait([{ id }], { restoring: 'not-found', from, state: 'sent', attempts: 9 });
  await wait(
    Array.from({ length: 99 }, () => ({ id: makeTestId() })),
    { restoring: 'not-found', from, state: 'sent', attempts: 8 },
  );
  const second = await wait([{ id }], { restoring: 'not-found', from, state: 'sent' });
  const uids = (await pack()).uids ?? [];
  expect([uids[0], uids.at(-1), uids.length]).toEqual([first[0], second[0], 100]);
});

test('[S13][C16] among more photos than one request asks for, none is taken off its job before it has come back', async () => {
  const photos = Array.from({ length: 101 }, (_, at) => {
    const jobId = makeTestId();
    return { id: makeTestId(), jobId, url: `job-photos/${jobId}/${at}.jpg` };
  });
  const restoring = await wait(photos, { name: 'photo.attach', restoring: 'file-missing', from, state: 'sent' });
  const { jobId, url } = must(photos[100], 'the last');
  const [removed] = await wait([{ id: jobId, url }], { name: 'photo.remove' });
  expect((await pack()).uids).toEqual(restoring.slice(0, 100));
  expect((await pack()).uids?.slice(-2)).toEqual([restoring[100], removed]);
});

const states = async () => [
  ...new Set((await db.outbox.toArray()).map(({ state, attempts, lastError }) => `${state} ${attempts} ${lastError}`)),
];

test('[C7] a long queue counts as sent from one record on, before any entry says so; then each does', async () => {
  const uids = await wait(Array.from({ length: 12 }, () => ({})));
  const later = must((await wait([{}]))[0], 'a uid');
  await pack({ limit: 12 });
  expect(await states()).toEqual(['new 0 null']);
  for (const uid of [uids[0]!, uids[11]!])
    expect(await cancel({ db, userId: 'u' }, uid)).toEqual({ kind: 'already-sent' });
  await markSent(db);
  await markSent(db);
  expect(await states()).toEqual(['sent 1 null', 'new 0 null']);
  expect(await db.meta.get('sending')).toBeUndefined();
  expect(await cancel({ db, userId: 'u' }, later)).toMatchObject({ kind: 'cancelled' });
});

test('[C7] where the app ended before each was marked, the next request marks them, also one that sends none of them', async () => {
  await wait(Array.from({ length: 12 }, () => ({})));
  await pack();
  const uids = (await pack({ seemsOnline: () => false })).uids;
  expect([uids?.length, await states()]).toEqual([12, ['sent 1 null']]);
  expect(await pack({ paging: [] })).toEqual({ uids: [], awaiting: [] });
  expect([await states(), await db.meta.get('sending')]).toEqual([['sent 2 null'], undefined]);
});

test('[C7] a leader that another has replaced meanwhile marks nothing of what that one has settled', async () => {
  await wait(Array.from({ length: 12 }, () => ({})));
  await pack();
  await pack({ paging: [] });
  await db.outbox.clear();
  await markSent(db);
  expect(await db.outbox.count()).toBe(0);
});
