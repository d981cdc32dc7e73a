import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { watchTransactions } from '../testing/watch-transactions.ts';
import type { CollectionsOnDevice } from './collections-on-device.ts';
import { applyCollectionAnswer } from './apply-collection-answer.ts';
import { openCollections, questionOf, userId } from './testing/open-collections.ts';
import { buildSnapshot, makeBusiness, makeFeedJob, makeTown } from './testing/build-snapshot.ts';

/* What of an answer is written: an answer for one collection leaves the others alone. */

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

/** Applies a whole snapshot of the feed, as a device without one receives it. */
async function applyWholeFeed(collections: CollectionsOnDevice, version: string, rows = jobs, size = 10) {
  const snapshot = await buildSnapshot('feed', version, rows, size);
  device.serve(snapshot);
  await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
  await collections.settled();
  return snapshot;
}

test('[C2] rows are written before what only moves on, which is written by itself; nothing of it waits for the disk', async () => {
  const collections = device.open();
  await applyWholeFeed(collections, '40');
  const directory = await buildSnapshot('directory', '40', [makeBusiness('b')]);
  device.serve(directory);
  await device.apply(collections, { directory: { manifest: directory.manifest } }, { directory: null });
  await collections.settled();
  const written = watchTransactions(device.publicDb);
  watchTransactions(device.personDb, written);
  for (const db of [device.publicDb, device.personDb]) {
    db.close({ disableAutoOpen: false });
    await db.open();
  }
  await device.apply(
    collections,
    {
      directory: { puts: [], removes: [], version: '50' },
      feed: { puts: [makeFeedJob()], removes: [], version: '50' },
    },
    { directory: '40', feed: '40' },
  );
  expect(written.slice(0, 2)).toEqual([
    { stores: ['fresh', 'log', 'meta', 'profiles', 'segments', 'shelfStates'], durability: 'relaxed' },
    { stores: ['shelfStates'], durability: 'relaxed' },
  ]);
  expect(await versionsAsked(collections)).toMatchObject({ directory: '50', feed: '50' });
});

describe('a snapshot that takes over', () => {
  test('leaves the changed rows of another collection alone', async () => {
    const collections = device.open();
    const [directory, reference] = [
      await buildSnapshot('directory', '5', [makeBusiness('b')]),
      await buildSnapshot('reference', '5', [makeTown('t')]),
    ];
    device.serve(directory);
    device.serve(reference);
    await device.apply(collections, { directory: { manifest: directory.manifest } }, { directory: null });
    await collections.settled();
    await device.apply(
      collections,
      { directory: { puts: [makeBusiness('c')], removes: ['b'], version: '6' } },
      { directory: '5' },
    );
    await device.apply(collections, { reference: { manifest: reference.manifest } }, { reference: null });
    await collections.settled();
    expect((await device.publicDb.fresh.toArray()).map(({ id }) => id)).toEqual(['b', 'c']);
    expect(await device.publicDb.segments.count()).toBe(2);
  });

  test('sets the version to its own, and deletes the changed rows that it contains', async () => {
    const collections = device.open();
    await applyWholeFeed(collections, '40');
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [], version: '50' } }, { feed: '40' });
    await applyWholeFeed(collections, '50', [...jobs, makeFeedJob()]);
    expect([await feedState(), await changedIds()]).toMatchObject([{ version: '50', manifest: { version: '50' } }, []]);
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [], version: '60' } }, { feed: '50' });
    await applyWholeFeed(collections, '70', [...jobs, makeFeedJob()]);
    expect([await feedState(), await changedIds()]).toMatchObject([{ version: '70', manifest: { version: '70' } }, []]);
  });

  test('because the server could not answer from the device’s version deletes every changed row, also newer ones', async () => {
    const collections = device.open();
    await applyWholeFeed(collections, '40');
    await device.apply(
      collections,
      { feed: { puts: [makeFeedJob()], removes: [jobs[0]!.id], version: '95' } },
      { feed: '40' },
    );
    const snapshot = await buildSnapshot('feed', '90', [...jobs, makeFeedJob()], 10);
    device.serve(snapshot);
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: '95' });
    await collections.settled();
    expect([await feedState(), await changedIds()]).toMatchObject([{ version: '90', manifest: { version: '90' } }, []]);
    expect((await versionsAsked(collections)).feed).toBe('90');
  });

  test('and equals the one here writes only the time of the answer', async () => {
    const collections = device.open();
    const snapshot = await applyWholeFeed(collections, '40');
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [], version: '45' } }, { feed: '40' });
    const [before, fresh] = [await feedState(), await changedIds()];
    await device.personDb.shelfStates.update('feed', { updatedAt: null });
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    expect([await feedState(), await changedIds()]).toEqual([before, fresh]);
  });
});

describe('an answer', () => {
  test('with changes older than what is here, or for a collection that was not requested, writes nothing', async () => {
    const collections = device.open();
    await applyWholeFeed(collections, '40');
    const before = await feedState();
    await device.apply(collections, { feed: { puts: [], removes: [jobs[0]!.id], version: '39' } }, { feed: '40' });
    expect([await feedState(), device.events]).toEqual([before, ['shelf-foreign']]);
    await device.apply(collections, { feed: { puts: [], removes: [jobs[0]!.id], version: '41' } }, {});
    await device.apply(collections, { feed: { denied: true } }, {});
    expect([await feedState(), await changedIds(), device.denied]).toEqual([before, [], []]);
  });

  test('with changes for a device that requested a whole snapshot writes nothing', async () => {
    await device.apply(device.open(), { feed: { puts: [makeFeedJob()], removes: [], version: '40' } }, { feed: null });
    expect([await device.personDb.shelfStates.count(), await changedIds(), device.events]).toEqual([
      0,
      [],
      ['shelf-foreign'],
    ]);
  });

  test('with the snapshot that is here already, requested because its version was forgotten, makes that version count again', async () => {
    const collections = device.open();
    const snapshot = await applyWholeFeed(collections, '40');
    await collections.forgetVersions(await collections.asked());
    expect((await versionsAsked(collections)).feed).toBeNull();
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    expect((await versionsAsked(collections)).feed).toBe('40');
  });

  test('with a snapshot, for a device whose position has changed since the request, writes nothing', async () => {
    const collections = device.open();
    await applyWholeFeed(collections, '40');
    await device.apply(collections, { feed: { puts: [], removes: [], version: '45' } }, { feed: '40' });
    const before = await feedState();
    const late = await buildSnapshot('feed', '44', jobs.slice(5), 10);
    await device.apply(collections, { feed: { manifest: late.manifest } }, { feed: '40' });
    expect([await feedState(), device.events]).toEqual([before, ['shelf-foreign']]);
  });

  test('of another timeline than the snapshot whose download began since the request writes nothing', async () => {
    const collections = device.open();
    await applyWholeFeed(collections, '40');
    await collections.forgetVersions(await collections.asked());
    const asked = await collections.asked();
    const [restored, dead] = [
      await buildSnapshot('feed', '20', [makeFeedJob()], 10, 'restored'),
      await buildSnapshot('feed', '45', [makeFeedJob()], 10),
    ];
    const held = device.open({ fetchSegment: () => new Promise(() => undefined) });
    await held.apply({ feed: { manifest: restored.manifest } }, asked, device.fence);
    const before = await feedState();
    expect(before).toMatchObject({ coming: { version: '20' } });
    // While it downloads, nothing more is requested of it.
    expect(await held.hasMoreToAsk(questionOf({ reference: null, directory: null }))).toBe(false);
    await held.apply({ feed: { manifest: dead.manifest } }, asked, device.fence);
    expect([await feedState(), device.events]).toEqual([before, ['shelf-foreign']]);
    held.stop();
  });
});

test('[C3] a snapshot newer than the one here and older than the one being downloaded is discarded', async () => {
  const collections = device.open();
  await applyWholeFeed(collections, '40');
  const held = device.open({ fetchSegment: () => new Promise(() => undefined) });
  const [coming, late] = [
    await buildSnapshot('feed', '90', [makeFeedJob()], 10),
    await buildSnapshot('feed', '60', [makeFeedJob()], 10),
  ];
  await device.apply(held, { feed: { manifest: coming.manifest } }, { feed: null });
  const before = await feedState();
  expect(before).toMatchObject({ version: '40', coming: { version: '90' } });
  await device.apply(held, { feed: { manifest: late.manifest } }, { feed: null });
  expect([await feedState(), device.events]).toEqual([before, ['shelf-foreign']]);
  held.stop();
});

test('[I8] a denial removes one collection and its changed rows, and nothing of another in the same database', async () => {
  const { publicDb } = device;
  const put = async (collection: 'directory' | 'reference') => {
    await publicDb.segments.put({ hash: collection, shelf: collection, text: '' });
    await publicDb.fresh.put({ shelf: collection, id: `of ${collection}`, row: null, version: '00000000000000000041' });
  };
  await put('directory');
  await put('reference');
  await applyCollectionAnswer(
    publicDb,
    'reference',
    { denied: true },
    { asked: { version: null, timeline: null, mark: '' }, at: '' },
  );
  expect([
    await publicDb.segments.toCollection().primaryKeys(),
    (await publicDb.fresh.toArray()).map(({ id }) => id),
  ]).toEqual([['directory'], ['of directory']]);
});
