import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openCollectionMemory } from './collection-memory.ts';
import { makeFeedJob } from './testing/build-snapshot.ts';
import { hashesOf, here, jobs, openFixedFeed, still } from './testing/fixed-feed.ts';

/*
 * A collection in memory while another snapshot takes over, another collection changes, a read fails or the database is
 * emptied.
 */

let device: Awaited<ReturnType<typeof openFixedFeed>>;
beforeEach(async () => {
  device = await openFixedFeed();
});
afterEach(() => device.close());

describe('another snapshot that takes over', () => {
  test('reads only the segments that the previous one did not have, and keeps changed rows newer than itself', async () => {
    const old = await device.whole('40');
    const memory = device.open();
    await still();
    const added = makeFeedJob();
    await device.take({ puts: [added], removes: [jobs[29]!.id], version: '60' }, '40');
    await still();
    const read = device.readings();
    const next = await device.whole('50', jobs.slice(0, 40));
    await still();
    expect(read.filter((hash) => hashesOf(old).includes(hash))).toEqual([]);
    expect(new Set(read)).toEqual(new Set(hashesOf(next).slice(0, 1)));
    expect(memory.current()).toMatchObject({ status: 'ready', progress: { here: 4, of: 4 } });
    expect(
      memory
        .current()
        .rows.map(({ id }) => id)
        .toSorted(),
    ).toEqual([...jobs.slice(0, 40).filter(({ id }) => id !== jobs[29]!.id), added].map(({ id }) => id).toSorted());
    expect([memory.find(added.id), memory.find(jobs[29]!.id)]).toEqual([added, undefined]);
  });

  test('keeps nothing of the previous one: a row that it lacks is gone, a row removed before that it has is there', async () => {
    await device.whole('40');
    const memory = device.open();
    await still();
    await device.take({ puts: [], removes: [jobs[5]!.id], version: '41' }, '40');
    await still();
    expect(memory.find(jobs[5]!.id)).toBeUndefined();
    await device.whole('50', jobs.slice(5, 25));
    await still();
    expect([memory.find(jobs[5]!.id), memory.find(jobs[0]!.id), memory.current().rows.length]).toEqual([
      jobs[5],
      undefined,
      20,
    ]);
  });
});

test('a segment deleted just before it is read is no error: the next read finds what replaced it', async () => {
  await device.whole('40');
  vi.spyOn(device.personDb.segments, 'bulkGet').mockResolvedValueOnce([undefined]);
  const errors: unknown[] = [];
  const memory = device.open({ onError: (error) => errors.push(error) });
  await still();
  expect(errors).toEqual([]);
  await device.take({ puts: [], removes: [], version: '41' }, '40');
  vi.advanceTimersByTime(500);
  await still();
  expect([here(memory), errors]).toEqual([['ready', 3, 30], []]);
});

test('the changed rows of one collection are no rows of another in the same database', async () => {
  const change = (collection: 'directory' | 'reference', id: string) => ({
    shelf: collection,
    id,
    row: { id, name: id },
    version: '00000000000000000041',
  });
  await device.publicDb.fresh.bulkPut([change('directory', 'b'), change('reference', 't')]);
  for (const [collection, id] of [
    ['directory', 'b'],
    ['reference', 't'],
  ] as const) {
    const memory = openCollectionMemory({ db: device.publicDb, collection, pause: async () => undefined });
    device.closeLater(memory);
    await still();
    expect(memory.current().rows.map((row) => row.id)).toEqual([id]);
  }
});

test('while another snapshot is read, a row of the one on the screen is still found; an empty snapshot shows no row', async () => {
  await device.whole('40');
  const found: unknown[] = [];
  const memory = device.open();
  device.personDb.segments.hook('reading', (segment) => {
    found.push(memory.find(jobs[0]!.id));
    return segment;
  });
  await still();
  found.length = 0;
  await device.whole('50', jobs.slice(30), 5);
  await still();
  expect(new Set(found)).toEqual(new Set([jobs[0]]));
  expect([here(memory), memory.find(jobs[0]!.id)]).toEqual([['ready', 6, 30], undefined]);
  await device.whole('60', []);
  await still();
  expect([here(memory), memory.find(jobs[30]!.id)]).toEqual([['ready', 0, 0], undefined]);
});

test('a collection whose database was emptied under the open app is absent until it is downloaded again', async () => {
  await device.whole('40');
  const memory = device.open();
  await still();
  await Promise.all([device.personDb.shelfStates.clear(), device.personDb.segments.clear()]);
  await still();
  expect([here(memory), memory.find(jobs[0]!.id)]).toEqual([['absent', 0, 0], undefined]);
  await device.whole('40');
  await still();
  expect(here(memory)).toEqual(['ready', 3, 30]);
});

test('C4: a failed read keeps the rows on the screen, and the next successful read ends the failure', async () => {
  await device.whole('40');
  const errors: unknown[] = [];
  const memory = device.open({ onError: (error) => errors.push(error) });
  await still();
  const text = 'not a segment';
  const broken = { hash: 'b'.repeat(64), rows: 1, bytes: 1, from: 'a', to: 'b' };
  await device.personDb.segments.put({ hash: broken.hash, shelf: 'feed', text });
  await device.take({ manifest: { version: '50', timeline: 'first', segments: [broken] } }, null);
  await still();
  expect([here(memory), errors.length]).toEqual([['failed', 3, 30], 1]);
  await device.whole('60', jobs.slice(0, 40));
  await still();
  expect([here(memory), errors.length]).toEqual([['ready', 4, 40], 1]);
});
