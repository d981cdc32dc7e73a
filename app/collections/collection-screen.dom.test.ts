import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createCell } from '../lib/cell.ts';
import { must } from '../../shared/lib/must.ts';
import { createDownloadedSegments } from './downloaded-segments.ts';
import { stateOf } from './collection-dbs.ts';
import { openCollectionMemory, type CollectionMemory } from './collection-memory.ts';
import { buildSnapshot } from './testing/build-snapshot.ts';
import { at, hashesOf, here, jobs, openFixedFeed, still } from './testing/fixed-feed.ts';

/* What a screen gets of a collection, and when. */

let device: Awaited<ReturnType<typeof openFixedFeed>>;
beforeEach(async () => {
  device = await openFixedFeed();
});
afterEach(() => device.close());

test('a whole collection comes with all of its segments and the time of the last answer', async () => {
  await device.whole('40');
  const memory = device.open();
  expect(memory.current()).toEqual({
    status: 'starting',
    rows: [],
    progress: { here: 0, of: 0, isNearHere: false },
    updatedAt: null,
  });
  await still();
  expect(memory.current()).toMatchObject({ status: 'ready', progress: { here: 3, of: 3 }, updatedAt: at });
  // Newest first, so that sorting has little to do.
  expect(memory.current().rows.map(({ id }) => id)).toEqual(
    jobs
      .slice(0, 30)
      .map(({ id }) => id)
      .toReversed(),
  );
});

test('a collection that is not on the device is absent, not empty; so is one whose version was forgotten before its first download', async () => {
  const nothing = { status: 'absent', rows: [], progress: { here: 0, of: 0, isNearHere: false }, updatedAt: null };
  const memory = device.open();
  await still();
  expect(memory.current()).toEqual(nothing);
  await device.personDb.shelfStates.put(await stateOf(device.personDb, 'feed'));
  await still();
  expect(memory.current()).toEqual(nothing);
});

test('an answer without changed rows keeps the same array; one change gives another', async () => {
  await device.whole('40');
  const memory = device.open();
  await still();
  const changed = { ...jobs[1]!, title: 'Changed' };
  await device.take({ puts: [changed], removes: [], version: '41' }, '40');
  await still();
  const { rows } = memory.current();
  await device.take({ puts: [], removes: [], version: '42' }, '41');
  await still();
  expect(memory.current().rows).toBe(rows);
  await device.take({ puts: [], removes: [jobs[0]!.id], version: '43' }, '42');
  await still();
  expect(memory.current().rows).not.toBe(rows);
  expect(memory.current().rows).toHaveLength(29);
});

describe('a first download', () => {
  test('updates the screen twice a second at most, though each row is found at once, and at once when complete', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 10);
    const [one, two, three, ...rest] = hashesOf(snapshot) as [string, string, string];
    await device.take({ manifest: snapshot.manifest }, null);
    const memory = device.open();
    await still();
    expect(here(memory)).toEqual(['filling', 0, 0]);
    await device.store(snapshot, [one]);
    await still();
    expect(here(memory)).toEqual(['filling', 1, 10]);
    await device.store(snapshot, [two]);
    await still();
    expect(here(memory)).toEqual(['filling', 1, 10]);
    expect(memory.find(jobs[45]!.id)).toEqual(jobs[45]);
    vi.advanceTimersByTime(499);
    expect(here(memory)).toEqual(['filling', 1, 10]);
    await device.store(snapshot, [three]);
    await still();
    expect(here(memory)).toEqual(['filling', 1, 10]);
    vi.advanceTimersByTime(1);
    expect(here(memory)).toEqual(['filling', 3, 30]);
    await device.store(snapshot, rest);
    await still();
    expect(here(memory)).toEqual(['ready', 6, 60]);
    vi.advanceTimersByTime(500);
    expect(here(memory)).toEqual(['ready', 6, 60]);
  });

  test('[I8] that is denied in the middle shows nothing more, also not through an update already scheduled', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 10);
    await device.take({ manifest: snapshot.manifest }, null);
    const memory = device.open();
    await device.store(snapshot, hashesOf(snapshot).slice(0, 1));
    await still();
    await device.store(snapshot, hashesOf(snapshot).slice(1, 2));
    await still();
    expect(here(memory)).toEqual(['filling', 1, 10]);
    await device.take({ denied: true }, '40');
    await still();
    expect(here(memory)).toEqual(['hidden', 0, 0]);
    vi.advanceTimersByTime(500);
    expect([here(memory), memory.find(jobs[59]!.id)]).toEqual([['hidden', 0, 0], undefined]);
  });

  test('that is complete on disk shows its first segment, lets the screen paint once, and then shows the rest', async () => {
    await device.whole('40', jobs, 5);
    const painted: unknown[] = [];
    const memory = device.open({ pause: async () => void painted.push(here(memory)) });
    const shown: unknown[] = [];
    memory.subscribe(() => shown.push(here(memory)));
    await still();
    expect(painted).toEqual([['filling', 1, 5]]);
    expect(shown).toEqual([
      ['filling', 1, 5],
      ['ready', 12, 60],
    ]);
  });

  test.each([
    ['a page that paints: after the next frame', true, 0],
    ['a hidden page, which has no frames: after 50 ms', false, 1],
  ])('continues after its first segment in %s', async (_which, paints, ms) => {
    const frames: FrameRequestCallback[] = [];
    vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame));
    await device.whole('40', jobs, 10);
    const memory = openCollectionMemory({ db: device.personDb, collection: 'feed' });
    device.closeLater(memory);
    await still();
    expect([here(memory), frames.length]).toEqual([['filling', 1, 10], 1]);
    vi.advanceTimersByTime(49);
    await still();
    expect(here(memory)).toEqual(['filling', 1, 10]);
    if (paints) frames[0]?.(0);
    vi.advanceTimersByTime(ms);
    await still();
    expect(here(memory)).toEqual(['ready', 6, 60]);
  });

  test('gives segments just downloaded to the screen without reading them back from the disk', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 10);
    const downloaded = createDownloadedSegments();
    const read = device.readings();
    const memory = device.open({ downloaded });
    await still();
    const [one, two, ...rest] = hashesOf(snapshot) as [string, string, ...string[]];
    downloaded.put('feed', one, must(snapshot.texts.get(one), one));
    downloaded.put('feed', two, 'no segment');
    downloaded.put('directory', must(rest[0], 'a third'), '{"id":[]}');
    await still();
    expect(memory.current().rows).toEqual([]);
    await device.whole('40', jobs, 10);
    await still();
    expect([here(memory), read.toSorted()]).toEqual([['ready', 6, 60], [two, ...rest].toSorted()]);
  });
});

describe('nothing is read', () => {
  test.each([
    ['subscribes', (memory: CollectionMemory<'feed'>) => void memory.subscribe(() => undefined)],
    ['looks up a row', (memory: CollectionMemory<'feed'>) => void memory.find('x')],
  ])('with startsWhenWatched, until a screen %s', async (_what, look) => {
    await device.whole('40');
    const memory = device.open({ startsWhenWatched: true });
    await still();
    expect(memory.current().status).toBe('starting');
    look(memory);
    await still();
    expect(memory.current().status).toBe('ready');
  });

  test('after close(): no change, no gate, no late segment and no new subscriber has an effect', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 10);
    await device.take({ manifest: snapshot.manifest }, null);
    const gate = createCell<'unknown' | 'open' | 'closed'>('open');
    const memory = device.open({ gate });
    await device.store(snapshot, hashesOf(snapshot).slice(0, 1));
    await still();
    await device.store(snapshot, hashesOf(snapshot).slice(1, 2));
    await still();
    const before = memory.current();
    memory.close();
    vi.advanceTimersByTime(500);
    gate.set('closed');
    await device.store(snapshot);
    memory.subscribe(() => undefined);
    await still();
    expect(memory.current()).toBe(before);
  });
});

test('while the gate is unknown the collection is starting, without rows, and says so once', async () => {
  await device.whole('40');
  const gate = createCell<'unknown' | 'open' | 'closed'>('unknown');
  const memory = device.open({ gate });
  let told = 0;
  memory.subscribe(() => (told += 1));
  await still();
  expect([here(memory), memory.find(jobs[0]!.id), told]).toEqual([['starting', 0, 0], undefined, 0]);
  gate.set('open');
  expect([here(memory), told]).toEqual([['ready', 3, 30], 1]);
  gate.set('closed');
  expect([here(memory), told]).toEqual([['hidden', 0, 0], 2]);
  await device.take({ puts: [], removes: [jobs[0]!.id], version: '41' }, '40');
  await still();
  expect([here(memory), told]).toEqual([['hidden', 0, 0], 2]);
});
