import { liveQuery } from 'dexie';
import { expect, test, vi } from 'vitest';
import { makeJob, makeTestId } from '../../shared/testing/make.ts';
import { seededRandom } from '../../shared/testing/random-source.ts';
import { openPersonDb } from '../db/person-db.ts';
import { makeMutatePorts, makePost } from '../testing/make-mutate-ports.ts';
import { foresee } from './foresee.ts';
import { heldBegins, mutate } from './mutate.ts';

/** A tab that has its rows in memory, and hears nothing of another. */
async function openTab(name = makeTestId(), userId = makeTestId(), seed = 1) {
  const device = makeMutatePorts({ userId, db: openPersonDb(userId, { name }), random: seededRandom(seed) });
  const { db } = device;
  // The first commit of all begins to count.
  await db.meta.put({ key: 'device', value: name });
  db.rows.subscribe(() => undefined);
  await db.rows.read();
  return device;
}

test('a tap with the rows in memory is on the disk after one trip: nothing of it waits for a read', async () => {
  const device = await openTab();
  const id = makeTestId();
  const asked: string[] = [];
  let answers = 0;
  const watch = (verb: 'get' | 'put') => {
    const { [verb]: real } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, verb).mockImplementation(function (this: IDBObjectStore, ...args: unknown[]) {
      asked.push(`${verb} ${this.name} after ${answers} answers`);
      const request = Reflect.apply(real, this, args) as IDBRequest<IDBValidKey>;
      request.addEventListener('success', () => (answers += 1));
      return request;
    });
  };
  watch('get');
  watch('put');
  await mutate(device, 'job.post', makePost(id));
  vi.restoreAllMocks();
  expect(asked).toHaveLength(5);
  expect(new Set(asked)).toEqual(
    new Set(['get meta', 'put meta', 'put shadow', 'put jobs', 'put outbox'].map((what) => `${what} after 0 answers`)),
  );
  expect(await device.db.jobs.get(id)).toMatchObject({ title: 'Fix the gate' });
  expect(await device.db.shadow.get(['jobs', id])).toEqual({ table: 'jobs', id, row: null });
});

test('live queries over what a tap writes are asked again, by key and by index', async () => {
  const device = await openTab();
  const { db, userId } = device;
  const seen: [number, number, boolean][] = [];
  const id = makeTestId();
  const watching = liveQuery(async () => {
    const [queued, own] = [await db.outbox.count(), await db.jobs.where('userId').equals(userId).count()];
    return [queued, own, (await db.shadow.get(['jobs', id])) !== undefined] as [number, number, boolean];
  }).subscribe((now) => void seen.push(now));
  await expect.poll(() => seen).toEqual([[0, 0, false]]);
  await mutate(device, 'job.post', makePost(id));
  await expect.poll(() => seen.at(-1)).toEqual([1, 1, true]);
  watching.unsubscribe();
});

test('where a tap makes what was held, live queries hear that it is held no more', async () => {
  const device = await openTab();
  const key = `${heldBegins}${makeTestId()}`;
  await device.db.drafts.put({ key, value: {}, savedAt: '2026-05-01T00:00:00.000Z' });
  const seen: number[] = [];
  const watching = liveQuery(() => device.db.drafts.count()).subscribe((now) => void seen.push(now));
  await expect.poll(() => seen).toEqual([1]);
  await mutate(device, 'job.post', makePost(makeTestId()), { held: key });
  await expect.poll(() => seen.at(-1)).toBe(0);
  watching.unsubscribe();
});

test('a tap in a tab that missed a commit of another is decided by what the disk holds, and neither is lost', async () => {
  const [name, userId] = [makeTestId(), makeTestId()];
  const [one, other] = [await openTab(name, userId, 1), await openTab(name, userId, 2)];
  const job = makeJob({ userId, title: 'Before', description: 'Before' });
  await one.db.jobs.put(job);
  await other.db.rows.read();
  await mutate(one, 'job.edit', { id: job.id, set: { title: 'One' }, base: { title: 'Before' } });
  await mutate(other, 'job.edit', { id: job.id, set: { description: 'Other' }, base: { description: 'Before' } });
  expect(await one.db.jobs.get(job.id)).toMatchObject({ title: 'One', description: 'Other' });
  expect(await one.db.outbox.count()).toBe(2);
  expect(await one.db.shadow.get(['jobs', job.id])).toMatchObject({ row: { title: 'Before', description: 'Before' } });
});

test('two taps at once in one tab are both saved, each over the other', async () => {
  const device = await openTab();
  const { db, userId } = device;
  const job = makeJob({ userId, title: 'Before', description: 'Before' });
  await db.jobs.put(job);
  await Promise.all([
    mutate(device, 'job.edit', { id: job.id, set: { title: 'One' }, base: { title: 'Before' } }),
    mutate(device, 'job.edit', { id: job.id, set: { description: 'Other' }, base: { description: 'Before' } }),
  ]);
  expect(await db.jobs.get(job.id)).toMatchObject({ title: 'One', description: 'Other' });
  expect(db.rows.shown.jobs.get(job.id)).toEqual(await db.jobs.get(job.id));
  expect(await db.outbox.count()).toBe(2);
});

test('a tap whose database was emptied under the tab is decided by what is there now', async () => {
  const device = await openTab();
  const { db, userId } = device;
  const job = makeJob({ userId });
  await db.jobs.put(job);
  const bare = openPersonDb(userId, { name: db.name });
  await bare.transaction('rw', [bare.jobs, bare.meta], async () => {
    await bare.jobs.clear();
    await bare.meta.clear();
  });
  await expect(
    mutate(device, 'job.edit', { id: job.id, set: { title: 'One' }, base: { title: 'Before' } }),
  ).rejects.toMatchObject({
    code: 'not-found',
  });
  expect([await db.jobs.count(), await db.outbox.count()]).toEqual([0, 0]);
});

test('[I9] a tap that is being saved does not pass for the server’s row where an answer decides the one before it meanwhile', async () => {
  const device = await openTab();
  const { db, userId } = device;
  const job = makeJob({ userId, title: 'Before', description: 'Before' });
  await db.jobs.put(job);
  await mutate(device, 'job.edit', { id: job.id, set: { title: 'One' }, base: { title: 'Before' } });
  const args = { id: job.id, set: { description: 'Two' }, base: { description: 'Before' } };
  const foreseen = await foresee(
    device,
    { uid: makeTestId(), name: 'job.edit', args, base: [], tappedAt: 0 },
    undefined,
  );
  db.rows.show(foreseen?.early ?? []);
  await db.transaction('rw', ['jobs', 'shadow', 'outbox'], async () => {
    await db.shadow.clear();
    await db.outbox.clear();
    await db.jobs.put({ ...job, title: 'One' });
  });
  expect(db.rows.shown.jobs.get(job.id)).toMatchObject({ title: 'One', description: 'Two' });
  expect(db.rows.shown.shadow.get(`jobs,${job.id}`)).toMatchObject({ row: { description: 'Before' } });
});
