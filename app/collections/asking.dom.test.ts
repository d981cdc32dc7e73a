import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { forgetVersions, marksOf } from './forget-versions.ts';
import type { CollectionsOnDevice } from './collections-on-device.ts';
import { openCollections, questionOf, userId } from './testing/open-collections.ts';
import { buildSnapshot, makeBusiness, makeFeedJob, makeTown } from './testing/build-snapshot.ts';

/* Which collections a device requests, for whom and how often; and how one row of them is found. */

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const jobs = Array.from({ length: 20 }, () => makeFeedJob());
const feedState = async () => must(await device.personDb.shelfStates.get('feed'), 'feed state');
const versionsAsked = async (collections: CollectionsOnDevice) => (await collections.asked()).versions;

/** Applies a whole snapshot of the feed, as a device without one receives it. */
async function applyWholeFeed(collections: CollectionsOnDevice, version: string, rows = jobs, size = 10) {
  const snapshot = await buildSnapshot('feed', version, rows, size);
  device.serve(snapshot);
  await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
  await collections.settled();
  return snapshot;
}

describe('the feed is requested', () => {
  test('also before the person’s own row is here; not for a visitor, who may read public collections only', async () => {
    await device.personDb.users.clear();
    expect(await versionsAsked(device.open())).toEqual({ reference: null, directory: null, feed: null });
    const visitor = device.open({ dbs: { publicDb: device.publicDb }, userId: undefined as never });
    expect(await versionsAsked(visitor)).toEqual({ reference: null, directory: null });
  });

  test('for a homeowner whose device still holds it, so that the server can deny it', async () => {
    const collections = device.open();
    await applyWholeFeed(collections, '40');
    await device.personDb.users.update(userId, { tradieId: null });
    expect((await versionsAsked(collections)).feed).toBe('40');
    await device.apply(collections, { feed: { denied: true } }, { feed: '40' });
    expect([device.denied, await versionsAsked(collections)]).toEqual([['feed'], { reference: null, directory: null }]);
    expect(await collections.hasMoreToAsk(questionOf({ reference: null, directory: null }))).toBe(false);
  });

  test('for no homeowner, and denied to a person who turns out to be one: nothing is removed, and no photo is deleted', async () => {
    const collections = device.open();
    await device.personDb.users.update(userId, { tradieId: null });
    expect(await versionsAsked(collections)).toEqual({ reference: null, directory: null });
    await device.apply(collections, { feed: { denied: true } }, { feed: null });
    expect([device.denied, await device.personDb.shelfStates.count()]).toEqual([[], 0]);
    // Public collections are applied all the same.
    const snapshot = await buildSnapshot('directory', '5', [makeBusiness('b')]);
    device.serve(snapshot);
    await device.apply(collections, { directory: { manifest: snapshot.manifest } }, { directory: null });
    await collections.settled();
    expect(await device.publicDb.segments.count()).toBe(1);
  });

  test('for a tradie whose subscription lapsed: once in each exchange, not again within one; it returns with the right', async () => {
    const collections = device.open();
    await device.apply(collections, { feed: { denied: true } }, { feed: null });
    expect([device.denied, (await versionsAsked(collections)).feed]).toEqual([['feed'], null]);
    expect(await feedState()).toMatchObject({ denied: true, updatedAt: '2026-11-21T00:00:00.000Z' });
    expect(await collections.hasMoreToAsk(questionOf({ reference: null, directory: null }))).toBe(false);
    const snapshot = await applyWholeFeed(collections, '40');
    expect(await feedState()).toMatchObject({ denied: false, version: '40', updatedAt: '2026-11-21T00:00:00.000Z' });
    expect(await device.personDb.segments.count()).toBe(snapshot.manifest.segments.length);
  });
});

describe('more than 4,000 changes', () => {
  const gone = (count: number) => Array.from({ length: count }, (_none, at) => `gone-${at}`);

  test('make a device request segments instead, once in ten minutes or after the clock was set back; 4,000 do not', async () => {
    const clock = manualClock();
    const collections = device.open({ clock });
    await applyWholeFeed(collections, '40');
    await device.apply(collections, { feed: { puts: [], removes: gone(4_000), version: '41' } }, { feed: '40' });
    expect((await versionsAsked(collections)).feed).toBe('41');
    await device.apply(collections, { feed: { puts: [], removes: ['one more'], version: '42' } }, { feed: '41' });
    expect((await versionsAsked(collections)).feed).toBeNull();
    for (const [pass, version] of [
      [() => clock.advance(599_999), '42'],
      [() => clock.advance(1), null],
      [() => clock.jump(-86_400_000), null],
    ] as const) {
      pass();
      expect((await versionsAsked(collections)).feed).toBe(version);
      expect((await versionsAsked(collections)).feed).toBe('42');
    }
  });

  test('make no such request while a newer snapshot is downloading', async () => {
    const collections = device.open();
    await applyWholeFeed(collections, '40');
    await device.apply(collections, { feed: { puts: [], removes: gone(4_001), version: '41' } }, { feed: '40' });
    const next = await buildSnapshot('feed', '50', [...jobs, makeFeedJob()], 10);
    const held = device.open({ fetchSegment: () => new Promise(() => undefined) });
    await device.apply(held, { feed: { manifest: next.manifest } }, { feed: null });
    expect(await feedState()).toMatchObject({ version: '41', coming: { version: '50' } });
    expect((await versionsAsked(device.open())).feed).toBe('41');
    held.stop();
  });

  test.each([
    ['directory', 'reference'],
    ['reference', 'directory'],
  ] as const)('of the %s do not count towards the %s', async (long, short) => {
    const collections = device.open();
    const [towns, businesses] = [
      await buildSnapshot('reference', '5', [makeTown('t')]),
      await buildSnapshot('directory', '5', [makeBusiness('b')]),
    ];
    device.serve(towns);
    device.serve(businesses);
    await device.apply(
      collections,
      { reference: { manifest: towns.manifest }, directory: { manifest: businesses.manifest } },
      { reference: null, directory: null },
    );
    await collections.settled();
    await device.apply(collections, { [long]: { puts: [], removes: gone(4_001), version: '6' } }, { [long]: '5' });
    expect(await versionsAsked(collections)).toMatchObject({ [long]: null, [short]: '5' });
  });
});

test('[S11] a download that an earlier app began without a timeline is not waited for: the collection is requested again', async () => {
  const [old, coming] = [
    await buildSnapshot('directory', '41', [makeBusiness('b')]),
    await buildSnapshot('directory', '42', [makeBusiness('c')]),
  ];
  const { timeline: _old, ...here } = old.manifest;
  const { timeline: _coming, ...bare } = coming.manifest;
  const state = { shelf: 'directory' as const, version: '41', manifest: here, denied: false, updatedAt: null };
  await device.publicDb.shelfStates.put({ ...state, coming: bare });
  expect(await versionsAsked(device.open())).toMatchObject({ directory: null });
  await device.publicDb.shelfStates.put({ ...state, coming: coming.manifest });
  expect(await versionsAsked(device.open())).not.toHaveProperty('directory');
});

test('positions are read of the collections that this device keeps, and are those that a request names', async () => {
  const { publicDb, personDb } = device;
  const collections = device.open();
  await applyWholeFeed(collections, '40');
  expect(await marksOf({ publicDb, personDb })).toEqual((await collections.asked()).marks);
  expect(Object.keys(await marksOf({ publicDb })).toSorted()).toEqual(['directory', 'reference']);
});

test('a visitor’s versions are forgotten as well, without a person’s database', async () => {
  const snapshot = await buildSnapshot('reference', '5', [makeTown('t')]);
  device.serve(snapshot);
  const dbs = { publicDb: device.publicDb };
  const visitor = device.open({ dbs, fetchManifest: async () => snapshot.manifest });
  await visitor.refreshPublic('reference');
  await visitor.settled();
  expect((await versionsAsked(visitor)).reference).toBe('5');
  await forgetVersions(dbs, await marksOf(dbs));
  expect((await versionsAsked(visitor)).reference).toBeNull();
});

describe('one row of a collection', () => {
  test('is found by its id, not by a field with the same text, and also while other segments are still downloading', async () => {
    const [older, newer] = [jobs[0]!, { ...jobs[19]!, title: jobs[0]!.id }];
    const snapshot = await buildSnapshot('feed', '40', [older, newer], 1);
    const collections = device.open();
    const [newest, oldest] = snapshot.manifest.segments.map(({ hash }) => hash) as [string, string];
    device.texts.set(newest, must(snapshot.texts.get(newest), 'text'));
    const held = device.open({ fetchSegment: () => new Promise(() => undefined) });
    await device.apply(held, { feed: { manifest: snapshot.manifest } }, { feed: null });
    const put = (hash: string) =>
      device.personDb.segments.put({ hash, shelf: 'feed', text: must(snapshot.texts.get(hash), hash) });
    await put(oldest);
    expect(await collections.find('jobs', older.id)).toMatchObject({ title: older.title });
    expect(await collections.find('jobs', newer.id)).toBeUndefined();
    await put(newest);
    expect(await collections.find('jobs', older.id)).toMatchObject({ title: older.title });
    expect(await collections.find('jobs', newer.id)).toMatchObject({ title: older.id });
    held.stop();
  });

  test('is not found in a table outside the feed, in a public collection, or for a visitor', async () => {
    const directory = await buildSnapshot('directory', '5', [makeBusiness('b')]);
    device.serve(directory);
    const collections = device.open();
    await device.apply(collections, { directory: { manifest: directory.manifest } }, { directory: null });
    await applyWholeFeed(collections, '40');
    expect(await collections.find('tradies', 'b')).toBeUndefined();
    expect(await collections.find('interests', jobs[0]!.id)).toBeUndefined();
    expect(await device.open({ dbs: { publicDb: device.publicDb } }).find('jobs', jobs[0]!.id)).toBeUndefined();
  });
});
