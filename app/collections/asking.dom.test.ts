import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { CollectionRow } from '../../shared/tables/collections.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { forgetVersions, marksOf } from './forget-versions.ts';
import type { CollectionsOnDevice } from './collections-on-device.ts';
import { applyCollectionAnswer } from './apply-collection-answer.ts';
import { openCollections, questionOf, userId } from './testing/open-collections.ts';
import { makeFeedJob, buildSnapshot } from './testing/build-snapshot.ts';

/* What a device asks for, of whom, how often, and what one list's answer leaves of the others. */

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const jobs = Array.from({ length: 20 }, () => makeFeedJob());
const feedState = async () => must(await device.personDb.shelfStates.get('feed'), 'feed state');
const changedIds = async () => (await device.personDb.fresh.toArray()).map(({ id }) => id).toSorted();
const versionsAsked = async (collections: CollectionsOnDevice) => (await collections.asked()).versions;

/** All of this list, as the whole answer to a device that had none. */
async function takeWhole(collections: CollectionsOnDevice, version: string, rows = jobs, size = 10) {
  const snapshot = await buildSnapshot('feed', version, rows, size);
  device.serve(snapshot);
  await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
  await collections.settled();
  return snapshot;
}

const created = '2026-01-01T00:00:00.000Z';
const town = (id: string): CollectionRow<'reference'> => ({ id, kind: 'location', name: id, region: 'R', createdAt: created });
const business = (id: string): CollectionRow<'directory'> => ({
  id, businessName: id, logo: '', description: '', categoryIds: [], locationId: 'x', isVerified: false, createdAt: created,
});

describe('the feed is asked for', () => {
  test('also for somebody of whom nothing is known yet; not for a visitor, who may read what is public', async () => {
    await device.personDb.users.clear();
    expect(await versionsAsked(device.open())).toEqual({ reference: null, directory: null, feed: null });
    const visitor = device.open({ homes: { publicDb: device.publicDb }, userId: undefined as never });
    expect(await versionsAsked(visitor)).toEqual({ reference: null, directory: null });
  });

  test('by a homeowner who has it from before, so that the server can take it away', async () => {
    const collections = device.open();
    await takeWhole(collections, '40');
    await device.personDb.users.update(userId, { tradieId: null });
    expect((await versionsAsked(collections)).feed).toBe('40');
    await device.apply(collections, { feed: { denied: true } }, { feed: '40' });
    expect([device.denied, await versionsAsked(collections)]).toEqual([['feed'], { reference: null, directory: null }]);
    expect(await collections.hasMoreToAsk(questionOf({ reference: null, directory: null }))).toBe(false);
  });

  test('in vain by somebody who turns out to be no tradie: nothing is taken away, and no photo thrown away for it', async () => {
    const collections = device.open();
    await device.personDb.users.update(userId, { tradieId: null });
    await device.apply(collections, { feed: { denied: true } }, { feed: null });
    expect([device.denied, await device.personDb.shelfStates.count()]).toEqual([[], 0]);
    // What is public is theirs all the same.
    const snapshot = await buildSnapshot('directory', '5', [business('b')]);
    device.serve(snapshot);
    await device.apply(collections, { directory: { manifest: snapshot.manifest } }, { directory: null });
    await collections.settled();
    expect(await device.publicDb.segments.count()).toBe(1);
  });

  test('by a tradie whose subscription lapsed at each exchange, but not over and over within one; and comes back with the right', async () => {
    const collections = device.open();
    await device.apply(collections, { feed: { denied: true } }, { feed: null });
    expect([device.denied, (await versionsAsked(collections)).feed]).toEqual([['feed'], null]);
    expect(await feedState()).toMatchObject({ denied: true, updatedAt: '2026-11-21T00:00:00.000Z' });
    expect(await collections.hasMoreToAsk(questionOf({ reference: null, directory: null }))).toBe(false);
    const snapshot = await takeWhole(collections, '40');
    expect(await feedState()).toMatchObject({ denied: false, version: '40', updatedAt: '2026-11-21T00:00:00.000Z' });
    expect(await device.personDb.segments.count()).toBe(snapshot.manifest.segments.length);
  });
});

describe('more than 4,000 changes', () => {
  const gone = (count: number) => Array.from({ length: count }, (_none, at) => `gone-${at}`);

  test('make a device ask for segments instead, one time in ten minutes by any clock; 4,000 do not', async () => {
    const clock = manualClock();
    const collections = device.open({ clock });
    await takeWhole(collections, '40');
    await device.apply(collections, { feed: { puts: [], removes: gone(4_000), version: '41' } }, { feed: '40' });
    expect((await versionsAsked(collections)).feed).toBe('41');
    await device.apply(collections, { feed: { puts: [], removes: ['one more'], version: '42' } }, { feed: '41' });
    expect((await versionsAsked(collections)).feed).toBeNull();
    for (const [pass, version] of [[() => clock.advance(599_999), '42'], [() => clock.advance(1), null], [() => clock.jump(-86_400_000), null]] as const) {
      pass();
      expect((await versionsAsked(collections)).feed).toBe(version);
      expect((await versionsAsked(collections)).feed).toBe('42');
    }
  });

  test('are not asked about while a newer list is coming', async () => {
    const collections = device.open();
    await takeWhole(collections, '40');
    await device.apply(collections, { feed: { puts: [], removes: gone(4_001), version: '41' } }, { feed: '40' });
    const next = await buildSnapshot('feed', '50', [...jobs, makeFeedJob()], 10);
    const held = device.open({ fetchSegment: () => new Promise(() => undefined) });
    await device.apply(held, { feed: { manifest: next.manifest } }, { feed: null });
    expect(await feedState()).toMatchObject({ version: '41', coming: { version: '50' } });
    expect((await versionsAsked(device.open())).feed).toBe('41');
    held.stop();
  });

  test.each([['directory', 'reference'], ['reference', 'directory']] as const)('of the %s do not make the %s long', async (long, short) => {
    const collections = device.open();
    const [towns, businesses] = [await buildSnapshot('reference', '5', [town('t')]), await buildSnapshot('directory', '5', [business('b')])];
    device.serve(towns);
    device.serve(businesses);
    await device.apply(collections, { reference: { manifest: towns.manifest }, directory: { manifest: businesses.manifest } }, { reference: null, directory: null });
    await collections.settled();
    await device.apply(collections, { [long]: { puts: [], removes: gone(4_001), version: '6' } }, { [long]: '5' });
    expect(await versionsAsked(collections)).toMatchObject({ [long]: null, [short]: '5' });
  });
});

describe('a list that takes over', () => {
  test('leaves the changes of another list alone', async () => {
    const collections = device.open();
    const [directory, reference] = [await buildSnapshot('directory', '5', [business('b')]), await buildSnapshot('reference', '5', [town('t')])];
    device.serve(directory);
    device.serve(reference);
    await device.apply(collections, { directory: { manifest: directory.manifest } }, { directory: null });
    await collections.settled();
    await device.apply(collections, { directory: { puts: [business('c')], removes: ['b'], version: '6' } }, { directory: '5' });
    await device.apply(collections, { reference: { manifest: reference.manifest } }, { reference: null });
    await collections.settled();
    expect((await device.publicDb.fresh.toArray()).map(({ id }) => id)).toEqual(['b', 'c']);
    expect(await device.publicDb.segments.count()).toBe(2);
  });

  test('brings the version on to its own, and lets go of the changes that it holds itself', async () => {
    const collections = device.open();
    await takeWhole(collections, '40');
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [], version: '50' } }, { feed: '40' });
    await takeWhole(collections, '50', [...jobs, makeFeedJob()]);
    expect([await feedState(), await changedIds()]).toMatchObject([{ version: '50', manifest: { version: '50' } }, []]);
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [], version: '60' } }, { feed: '50' });
    await takeWhole(collections, '70', [...jobs, makeFeedJob()]);
    expect([await feedState(), await changedIds()]).toMatchObject([{ version: '70', manifest: { version: '70' } }, []]);
  });

  test('because the server could not answer from where the device stood drops every change that was here, newer ones too', async () => {
    const collections = device.open();
    await takeWhole(collections, '40');
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [jobs[0]!.id], version: '95' } }, { feed: '40' });
    const snapshot = await buildSnapshot('feed', '90', [...jobs, makeFeedJob()], 10);
    device.serve(snapshot);
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: '95' });
    await collections.settled();
    expect([await feedState(), await changedIds()]).toMatchObject([{ version: '90', manifest: { version: '90' } }, []]);
    expect((await versionsAsked(collections)).feed).toBe('90');
  });

  test('and is the same as the one here is only heard of', async () => {
    const collections = device.open();
    const snapshot = await takeWhole(collections, '40');
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [], version: '45' } }, { feed: '40' });
    const [before, fresh] = [await feedState(), await changedIds()];
    await device.personDb.shelfStates.update('feed', { updatedAt: null });
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    expect([await feedState(), await changedIds()]).toEqual([before, fresh]);
  });
});

describe('an answer', () => {
  test('of changes that are older than what is here, or for a list that was not asked for, moves nothing', async () => {
    const collections = device.open();
    await takeWhole(collections, '40');
    const before = await feedState();
    await device.apply(collections, { feed: { puts: [], removes: [jobs[0]!.id], version: '39' } }, { feed: '40' });
    expect([await feedState(), device.events]).toEqual([before, ['shelf-foreign']]);
    await device.apply(collections, { feed: { puts: [], removes: [jobs[0]!.id], version: '41' } }, {});
    await device.apply(collections, { feed: { denied: true } }, {});
    expect([await feedState(), await changedIds(), device.denied]).toEqual([before, [], []]);
  });

  test('of changes to a device that asked for the whole list moves nothing', async () => {
    await device.apply(device.open(), { feed: { puts: [makeFeedJob()], removes: [], version: '40' } }, { feed: null });
    expect([await device.personDb.shelfStates.count(), await changedIds(), device.events]).toEqual([0, [], ['shelf-foreign']]);
  });

  test('with the list that is here already, asked for because its version was of no use any more, makes it count again', async () => {
    const collections = device.open();
    const snapshot = await takeWhole(collections, '40');
    await collections.forgetVersions(await collections.asked());
    expect((await versionsAsked(collections)).feed).toBeNull();
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    expect((await versionsAsked(collections)).feed).toBe('40');
  });

  test('of a list to a device that stands elsewhere by now than where it was asked from moves nothing', async () => {
    const collections = device.open();
    await takeWhole(collections, '40');
    await device.apply(collections, { feed: { puts: [], removes: [], version: '45' } }, { feed: '40' });
    const before = await feedState();
    const late = await buildSnapshot('feed', '44', jobs.slice(5), 10);
    await device.apply(collections, { feed: { manifest: late.manifest } }, { feed: '40' });
    expect([await feedState(), device.events]).toEqual([before, ['shelf-foreign']]);
  });

  test('of another life of the database than the one whose list is coming since it was asked for moves nothing', async () => {
    const collections = device.open();
    await takeWhole(collections, '40');
    await collections.forgetVersions(await collections.asked());
    const asked = await collections.asked();
    const [restored, dead] = [await buildSnapshot('feed', '20', [makeFeedJob()], 10, 'restored'), await buildSnapshot('feed', '45', [makeFeedJob()], 10)];
    const held = device.open({ fetchSegment: () => new Promise(() => undefined) });
    await held.apply({ feed: { manifest: restored.manifest } }, asked, device.fence);
    const before = await feedState();
    expect(before).toMatchObject({ coming: { version: '20' } });
    // While it is coming nothing is asked of it.
    expect(await held.hasMoreToAsk(questionOf({ reference: null, directory: null }))).toBe(false);
    await held.apply({ feed: { manifest: dead.manifest } }, asked, device.fence);
    expect([await feedState(), device.events]).toEqual([before, ['shelf-foreign']]);
    held.stop();
  });
});

test('[C3] a list that is newer than the one here, and older than the one that is coming, is thrown away', async () => {
  const collections = device.open();
  await takeWhole(collections, '40');
  const held = device.open({ fetchSegment: () => new Promise(() => undefined) });
  const [coming, late] = [await buildSnapshot('feed', '90', [makeFeedJob()], 10), await buildSnapshot('feed', '60', [makeFeedJob()], 10)];
  await device.apply(held, { feed: { manifest: coming.manifest } }, { feed: null });
  const before = await feedState();
  expect(before).toMatchObject({ version: '40', coming: { version: '90' } });
  await device.apply(held, { feed: { manifest: late.manifest } }, { feed: null });
  expect([await feedState(), device.events]).toEqual([before, ['shelf-foreign']]);
  held.stop();
});

test('[I8] a denial takes one list and its changes off the device, and nothing of another in the same database', async () => {
  const { publicDb } = device;
  const put = async (collection: 'directory' | 'reference') => {
    await publicDb.segments.put({ hash: collection, shelf: collection, text: '' });
    await publicDb.fresh.put({ shelf: collection, id: `of ${collection}`, row: null, version: '00000000000000000041' });
  };
  await put('directory');
  await put('reference');
  await applyCollectionAnswer(publicDb, 'reference', { denied: true }, { asked: { version: null, timeline: null, mark: '' }, at: '' });
  expect([await publicDb.segments.toCollection().primaryKeys(), (await publicDb.fresh.toArray()).map(({ id }) => id)]).toEqual([['directory'], ['of directory']]);
});

test('[S11] a list that was coming to an app of before, of no named life, is not waited for: it is asked for anew', async () => {
  const [old, coming] = [await buildSnapshot('directory', '41', [business('b')]), await buildSnapshot('directory', '42', [business('c')])];
  const { timeline: _old, ...here } = old.manifest;
  const { timeline: _coming, ...bare } = coming.manifest;
  const state = { shelf: 'directory' as const, version: '41', manifest: here, denied: false, updatedAt: null };
  await device.publicDb.shelfStates.put({ ...state, coming: bare });
  expect(await versionsAsked(device.open())).toMatchObject({ directory: null });
  await device.publicDb.shelfStates.put({ ...state, coming: coming.manifest });
  expect(await versionsAsked(device.open())).not.toHaveProperty('directory');
});

test('where each shelf stands is told of those that are kept here, as a question tells it', async () => {
  const { publicDb, personDb } = device;
  const collections = device.open();
  await takeWhole(collections, '40');
  expect(await marksOf({ publicDb, personDb })).toEqual((await collections.asked()).marks);
  expect(Object.keys(await marksOf({ publicDb })).toSorted()).toEqual(['directory', 'reference']);
});

test('a visitor’s versions are forgotten as well, and nothing is looked for in a database that is not there', async () => {
  const snapshot = await buildSnapshot('reference', '5', [town('t')]);
  device.serve(snapshot);
  const homes = { publicDb: device.publicDb };
  const visitor = device.open({ homes, fetchManifest: async () => snapshot.manifest });
  await visitor.refreshPublic('reference');
  await visitor.settled();
  expect((await versionsAsked(visitor)).reference).toBe('5');
  await forgetVersions(homes, await marksOf(homes));
  expect((await versionsAsked(visitor)).reference).toBeNull();
});

describe('one row of a shelf', () => {
  test('is found by its id, not by a text that says the same, and also while older segments are still coming', async () => {
    const [older, newer] = [jobs[0]!, { ...jobs[19]!, title: jobs[0]!.id }];
    const snapshot = await buildSnapshot('feed', '40', [older, newer], 1);
    const collections = device.open();
    const [newest, oldest] = snapshot.manifest.segments.map(({ hash }) => hash) as [string, string];
    device.texts.set(newest, must(snapshot.texts.get(newest), 'text'));
    const held = device.open({ fetchSegment: () => new Promise(() => undefined) });
    await device.apply(held, { feed: { manifest: snapshot.manifest } }, { feed: null });
    const put = (hash: string) => device.personDb.segments.put({ hash, shelf: 'feed', text: must(snapshot.texts.get(hash), hash) });
    await put(oldest);
    expect(await collections.find('jobs', older.id)).toMatchObject({ title: older.title });
    expect(await collections.find('jobs', newer.id)).toBeUndefined();
    await put(newest);
    expect(await collections.find('jobs', older.id)).toMatchObject({ title: older.title });
    expect(await collections.find('jobs', newer.id)).toMatchObject({ title: older.id });
    held.stop();
  });

  test('is not given of a table that stands on none, of a public copy, or to a visitor', async () => {
    const directory = await buildSnapshot('directory', '5', [business('b')]);
    device.serve(directory);
    const collections = device.open();
    await device.apply(collections, { directory: { manifest: directory.manifest } }, { directory: null });
    await takeWhole(collections, '40');
    expect(await collections.find('tradies', 'b')).toBeUndefined();
    expect(await collections.find('interests', jobs[0]!.id)).toBeUndefined();
    expect(await device.open({ homes: { publicDb: device.publicDb } }).find('jobs', jobs[0]!.id)).toBeUndefined();
  });
});
