import { expect, test, vi } from 'vitest';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { mutate } from '../sync/mutate.ts';
import { fakeChannel } from '../testing/fake-channel.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { Commit } from './note-commits.ts';
import { openPersonDb, type PersonDb } from './person-db.ts';
import { watchRows } from './use-rows.ts';

const userId = makeTestId();

/** A tab that looks at its rows. */
async function openTab(name: string, commits?: ReturnType<ReturnType<typeof fakeChannel<Commit>>>): Promise<PersonDb> {
  const db = openPersonDb(userId, { name, ...(commits === undefined ? {} : { commits }) });
  // The first commit of all begins to count.
  await db.meta.put({ key: 'device', value: name });
  db.rows.subscribe(() => undefined);
  await db.rows.read();
  return db;
}

/** Everything that reads the disk fails from now on. */
function breakReads(db: PersonDb): void {
  const { transaction } = db;
  Object.assign(db, {
    transaction: (mode: string, ...rest: unknown[]) => {
      if (mode === 'r') throw new Error('read the disk');
      return Reflect.apply(transaction, db, [mode, ...rest]) as unknown;
    },
  });
}

const portsOf = (db: PersonDb) => ({
  db,
  userId,
  clock: manualClock(),
  random: seededRandom(5),
  collections: { find: async () => undefined },
});
const edit = (db: PersonDb, id: string, title: string) =>
  mutate(portsOf(db), 'job.edit', { id, set: { title }, base: { title: 'Before' } });
const titleIn = ({ rows }: PersonDb, id: string) => rows.shown.jobs.get(id)?.title;

test('[C1] a tap is shown as "saving" before the disk has it, and as saved when it has', async () => {
  const db = await openTab(makeTestId());
  const job = makeJob({ userId, title: 'Before' });
  await db.jobs.add(job);
  const states: (string | undefined)[] = [];
  const titles: (string | undefined)[] = [];
  db.rows.subscribe(() => {
    states.push([...db.rows.shown.outbox.values()].map(({ state }) => state).join());
    titles.push(titleIn(db, job.id));
  });
  await edit(db, job.id, 'After');
  expect(states[0]).toBe('saving');
  expect(states.at(-1)).toBe('new');
  expect(new Set(titles)).toEqual(new Set(['After']));
  expect(db.rows.shown.outbox.size).toBe(1);
});

test('a tap that cannot be written is taken back, and its mutation says why', async () => {
  const db = await openTab(makeTestId());
  const job = makeJob({ userId, title: 'Before' });
  await db.jobs.add(job);
  const titles: (string | undefined)[] = [];
  db.rows.subscribe(() => titles.push(titleIn(db, job.id)));
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
    if (this.name === 'outbox') throw new DOMException('full', 'QuotaExceededError');
    return Reflect.apply(put, this, args) as IDBRequest<IDBValidKey>;
  });
  await expect(edit(db, job.id, 'After')).rejects.toThrow('no room');
  vi.restoreAllMocks();
  expect(titles[0]).toBe('After');
  expect(titleIn(db, job.id)).toBe('Before');
  expect([db.rows.shown.outbox.size, db.rows.shown.shadow.size]).toEqual([0, 0]);
});

test('another tab shows what this one wrote without reading the disk', async () => {
  const [name, faces] = [makeTestId(), fakeChannel<Commit>()];
  const [one, other] = [await openTab(name, faces()), await openTab(name, faces())];
  breakReads(other);
  const job = makeJob({ userId, title: 'Before' });
  await one.jobs.add(job);
  await edit(one, job.id, 'After');
  await expect.poll(() => titleIn(other, job.id)).toBe('After');
  expect([...other.rows.shown.outbox.values()]).toMatchObject([{ seq: 1, state: 'new' }]);
  await one.outbox.where('seq').between(1, 1, true, true).delete();
  await expect.poll(() => other.rows.shown.outbox.size).toBe(0);
  await one.jobs.clear();
  await expect.poll(() => titleIn(other, job.id)).toBe(undefined);
  expect(other.rows.at()).toBe(one.rows.at());
});

test('a tab that missed what another wrote reads the disk at the next message, or when it is looked at', async () => {
  const [name, faces] = [makeTestId(), fakeChannel<Commit>()];
  const [one, deaf] = [await openTab(name, faces()), await openTab(name)];
  const other = await openTab(name, faces());
  const [first, second] = [makeJob(), makeJob()];
  await deaf.jobs.add(first);
  await one.jobs.add(second);
  await expect.poll(() => other.rows.shown.jobs.size).toBe(2);
  expect(deaf.rows.shown.jobs.size).toBe(1);
  deaf.rows.refresh();
  await expect.poll(() => deaf.rows.shown.jobs.size).toBe(2);
  expect(one.rows.shown.jobs.size).toBe(2);
});

test('an answer that is shown early gives way to the one that another tab takes in meanwhile', async () => {
  const [name, faces] = [makeTestId(), fakeChannel<Commit>()];
  const [one, other] = [await openTab(name, faces()), await openTab(name, faces())];
  const job = makeJob({ title: 'Before' });
  one.rows.show([{ store: 'jobs', key: job.id, row: { ...job, title: 'Early' } }], true);
  expect(titleIn(one, job.id)).toBe('Early');
  await other.transaction('rw', ['jobs', 'meta'], async () => {
    await other.jobs.put({ ...job, title: 'Newer' });
    await other.meta.put({ key: 'cookie', value: 'c2' });
  });
  await expect.poll(() => titleIn(one, job.id)).toBe('Newer');
});

test('an aborted transaction leaves nothing in memory', async () => {
  const db = await openTab(makeTestId());
  const job = makeJob();
  await expect(
    db.transaction('rw', 'jobs', async () => {
      await db.jobs.add(job);
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(db.rows.shown.jobs.size).toBe(0);
});

test('[C4] rows that cannot be read are no empty rows', async () => {
  const db = openPersonDb(userId, { name: makeTestId() });
  breakReads(db);
  await db.rows.read();
  expect(db.rows.state()).toMatchObject({ kind: 'failed' });
});

test('what is written every few seconds asks no screen again that shows something else', async () => {
  const db = await openTab(makeTestId());
  let asked = 0;
  const place = watchRows(db.rows, ['users', 'meta/place'], ({ meta }) => {
    asked += 1;
    return meta.get('place')?.value;
  });
  expect(place.current()).toEqual({ state: 'ready', value: undefined });
  await db.meta.put({ key: 'leader', value: { epoch: 1, beat: 2 } });
  expect([place.current(), asked]).toEqual([{ state: 'ready', value: undefined }, 1]);
  await db.meta.put({ key: 'place', value: 'here' });
  expect([place.current(), asked]).toEqual([{ state: 'ready', value: 'here' }, 2]);
});

test('a transaction that writes nothing is no commit: the disk is spared, and no other tab is told', async () => {
  const db = await openTab(makeTestId());
  const before = db.rows.at();
  await db.transaction('rw', ['outbox', 'meta'], () => db.outbox.bulkPut([]));
  await db.jobs.bulkDelete([]);
  await db.rows.read();
  expect(db.rows.at()).toBe(before);
});

test('what is written as it was shown asks no screen again: a tap costs its list once, not again before it is saved', async () => {
  const db = await openTab(makeTestId());
  const job = makeJob({ userId, title: 'Before' });
  await db.jobs.add(job);
  const clock = manualClock();
  let asked = 0;
  const list = watchRows(db.rows, ['jobs', 'shadow'], ({ jobs }) => {
    asked += 1;
    // Nothing that is written says when it was written, but when it was tapped.
    clock.advance(1_000);
    return [...jobs.values()];
  });
  db.rows.subscribe(() => list.current());
  list.current();
  asked = 0;
  await mutate({ ...portsOf(db), clock }, 'job.close', { id: job.id });
  expect([asked, db.rows.shown.jobs.get(job.id)?.status]).toEqual([1, 'closed']);
  expect(db.rows.shown.jobs.get(job.id)).toEqual(await db.jobs.get(job.id));
});
