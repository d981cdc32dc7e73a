import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeSearch, makeTradie, makeUser } from '../../shared/testing/make.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { buildSnapshot, makeBusiness, makeFeedJob, makeTown } from './testing/build-snapshot.ts';
import { hashesOf } from './testing/create-held-segments.ts';
import { openCollections, userId } from './testing/open-collections.ts';

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const hashesHere = async () => (await device.personDb.segments.toCollection().primaryKeys()).toSorted();

describe('of a feed that is cut by regions', () => {
  const openNear = async (changes: Parameters<typeof device.open>[0] = {}) => {
    const reference = await buildSnapshot('reference', '5', [makeTown('t1')], 1);
    const directory = await buildSnapshot('directory', '6', [makeBusiness('b1'), makeBusiness('b2')], 1);
    const feed = await buildSnapshot(
      'feed',
      '7',
      Array.from({ length: 4 }, () => makeFeedJob()),
      1,
    );
    for (const snapshot of [reference, directory, feed]) device.serve(snapshot);
    feed.manifest.near = 3;
    const clock = manualClock();
    const collections = device.open({ clock, ...changes });
    const answers = {
      reference: { manifest: reference.manifest },
      directory: { manifest: directory.manifest },
      feed: { manifest: feed.manifest },
    };
    await device.apply(collections, answers, { reference: null, directory: null, feed: null });
    await collections.settled();
    return { clock, collections, hashes: [hashesOf(reference), hashesOf(directory), hashesOf(feed)] as const };
  };

  test('a person’s own regions come with the lists before anything else', async () => {
    const { hashes } = await openNear();
    const [r, d, f] = hashes;
    expect(device.fetched).toEqual([r[0], f[0], f[1], f[2], d[0], d[1], f[3]]);
  });

  test.each<[string, Record<string, string>]>([
    ['region', { region: 'Southland' }],
    ['town', { town: 't1' }],
  ])('the region of the last filter comes behind them, before the rest: by %s', async (_name, filters) => {
    await device.personDb.meta.put({ key: 'filters', value: filters });
    const reference = await buildSnapshot('reference', '5', [{ ...makeTown('t1'), region: 'Southland' }], 1);
    const feed = await buildSnapshot(
      'feed',
      '7',
      Array.from({ length: 4 }, () => makeFeedJob()),
      1,
    );
    for (const snapshot of [reference, feed]) device.serve(snapshot);
    const collections = device.open({ clock: manualClock() });
    await device.apply(collections, { reference: { manifest: reference.manifest } }, { reference: null });
    await collections.settled();
    const regions = ['Waikato', 'Otago', 'Southland', 'Otago'];
    feed.manifest.near = 1;
    feed.manifest.segments.forEach((segment, at) => Object.assign(segment, { region: regions[at] }));
    await device.apply(collections, { feed: { manifest: feed.manifest } }, { feed: null });
    await collections.settled();
    const [first, second, third, last] = hashesOf(feed);
    expect(device.fetched.slice(1)).toEqual([first, third, second, last]);
    expect((await stateOfFeed())?.manifest?.near).toBe(2);
  });

  test('where the browser asks to save data the others come only when they are asked for', async () => {
    let onlyNear = true;
    const { clock, collections, hashes } = await openNear({ onlyNear: () => onlyNear });
    const [r, d, f] = hashes;
    expect(device.fetched).toEqual([r[0], f[0], f[1], f[2], d[0], d[1]]);
    // Nothing is missing that was wanted: no retry is scheduled.
    expect(clock.next()).toBeUndefined();
    collections.resume();
    await collections.settled();
    expect(device.fetched).toHaveLength(6);
    onlyNear = false;
    collections.resume();
    await collections.settled();
    expect(device.fetched.at(-1)).toBe(f[3]);
    expect(await hashesHere()).toEqual(f.toSorted());
  });

  /** Another list of the same four jobs, changed. `near`: so many are of the person's own regions. */
  const nextFeed = async (version: string, near: number) => {
    const next = await buildSnapshot(
      'feed',
      version,
      Array.from({ length: 4 }, () => makeFeedJob()),
      1,
    );
    next.manifest.near = near;
    return next;
  };
  const stateOfFeed = () => device.personDb.shelfStates.get('feed');

  test('where data is to be saved a newer list takes the place of a whole one when its own regions are here, and changes are asked for again', async () => {
    let onlyNear = false;
    const { collections } = await openNear({ onlyNear: () => onlyNear });
    onlyNear = true;
    const next = await nextFeed('900', 2);
    device.serve(next);
    await device.apply(collections, { feed: { manifest: next.manifest } }, { feed: '7' });
    await collections.settled();
    expect(await stateOfFeed()).toMatchObject({ version: '900', manifest: { version: '900' }, coming: null });
    expect((await collections.asked()).versions.feed).toBe('900');
    expect(await hashesHere()).toEqual(hashesOf(next).slice(0, 2).toSorted());
  });

  test('own regions of an older list stay until those of the newer one are here, also where the rest never came', async () => {
    let hasSignal = true;
    const { collections, hashes } = await openNear({
      onlyNear: () => true,
      fetchSegment: async (_collection, hash) => {
        if (!hasSignal) throw new Error('no signal');
        return { kind: 'bytes', bytes: new TextEncoder().encode(device.texts.get(hash)) };
      },
    });
    hasSignal = false;
    const next = await nextFeed('900', 2);
    device.serve(next);
    await device.apply(collections, { feed: { manifest: next.manifest } }, { feed: '7' });
    await collections.settled();
    expect(await stateOfFeed()).toMatchObject({ manifest: { version: '7' }, coming: { version: '900' } });
    expect(await hashesHere()).toEqual(hashes[2].slice(0, 3).toSorted());
    hasSignal = true;
    collections.resume();
    await collections.settled();
    expect(await stateOfFeed()).toMatchObject({ manifest: { version: '900' }, coming: null });
    expect(await hashesHere()).toEqual(hashesOf(next).slice(0, 2).toSorted());
  });

  test('a search that is saved in another region brings that region, where data is to be saved', async () => {
    const { collections, hashes } = await openNear({ onlyNear: () => true });
    const known = must((await stateOfFeed())?.manifest, 'a list');
    expect((await collections.asked()).versions.feed).toBe('7');
    await device.personDb.searches.put(makeSearch({ userId, region: 'Southland' }));
    const asked = await collections.asked();
    expect(asked.versions.feed).toBeNull();
    await collections.apply({ feed: { manifest: { ...known, near: 4 } } }, asked, device.fence);
    await collections.settled();
    expect(device.fetched.at(-1)).toBe(hashes[2][3]);
    expect((await collections.asked()).versions.feed).toBe('7');
  });

  test('a search that reaches further asks again which regions are one’s own, where data is to be saved', async () => {
    const { collections } = await openNear({ onlyNear: () => true });
    const known = must((await stateOfFeed())?.manifest, 'a list');
    const search = makeSearch({ userId, locationId: 'southland/gore', withinKm: 20 });
    await device.personDb.searches.put(search);
    await collections.apply({ feed: { manifest: known } }, await collections.asked(), device.fence);
    await collections.settled();
    expect((await collections.asked()).versions.feed).toBe('7');
    await device.personDb.searches.put({ ...search, withinKm: 100 });
    expect((await collections.asked()).versions.feed).toBeNull();
  });

  test('opened again the app asks once whether the regions are others now, where data is to be saved', async () => {
    await openNear({ onlyNear: () => true });
    const known = must((await stateOfFeed())?.manifest, 'a list');
    const again = device.open({ clock: manualClock(), onlyNear: () => true });
    const asked = await again.asked();
    expect(asked.versions.feed).toBeNull();
    expect(await again.hasMoreToAsk(asked)).toBe(true);
    await again.apply({ feed: { manifest: known } }, asked, device.fence);
    expect((await again.asked()).versions.feed).toBe('7');
    expect((await device.open({ clock: manualClock() }).asked()).versions.feed).toBe('7');
  });
});
