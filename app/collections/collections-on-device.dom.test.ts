import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { must } from '../../shared/lib/must.ts';
import type { CollectionRow } from '../../shared/tables/collections.ts';
import type { FetchSegment } from './download-segments.ts';
import type { CollectionsOnDevice } from './collections-on-device.ts';
import { bytesOf, openCollections, questionOf, userId } from './testing/open-collections.ts';
import { makeFeedJob, buildSnapshot } from './testing/build-snapshot.ts';

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const jobs = Array.from({ length: 60 }, () => makeFeedJob());
const feedState = async () => must(await device.personDb.shelfStates.get('feed'), 'feed state');
const hashesHere = async () => (await device.personDb.segments.toCollection().primaryKeys()).toSorted();
const changedIds = async () => (await device.personDb.fresh.toArray()).map(({ id }) => id).toSorted();

test('a new device asks for every collection it may read; a homeowner does not ask for the feed', async () => {
  expect((await device.open().asked()).versions).toEqual({ reference: null, directory: null, feed: null });
  await device.personDb.users.update(userId, { tradieId: null });
  expect((await device.open().asked()).versions).toEqual({ reference: null, directory: null });
});

test('with a new manifest, or the right to one more collection, there is more to ask at once', async () => {
  const collections = device.open();
  expect(await collections.hasMoreToAsk(questionOf({ reference: null, directory: null }))).toBe(true);
  const asked = { reference: null, directory: null, feed: null };
  expect(await collections.hasMoreToAsk(questionOf(asked))).toBe(false);
  const snapshot = await buildSnapshot('feed', '40', jobs, 10);
  device.serve(snapshot);
  await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
  expect(await collections.hasMoreToAsk(questionOf(asked))).toBe(true);
  expect(await collections.hasMoreToAsk(questionOf({ ...asked, feed: '40' }))).toBe(false);
  await collections.settled();
});

describe('changes', () => {
  test('are stored in `fresh` under the answer’s version, removals too', async () => {
    const collections = await whole('40');
    const [changed, gone] = [{ ...jobs[0]!, title: 'New words' }, jobs[1]!.id];
    await device.apply(collections, { feed: { puts: [changed], removes: [gone], version: '41' } }, { feed: '40' });
    expect(await device.personDb.fresh.get(['feed', changed.id])).toMatchObject({
      row: changed,
      version: '00000000000000000041',
    });
    expect(await device.personDb.fresh.get(['feed', gone])).toMatchObject({ row: null });
    expect((await collections.asked()).versions.feed).toBe('41');
  });

  test('[C3] an answer to another question writes nothing', async () => {
    const collections = await whole('40');
    await device.apply(collections, { feed: { puts: [], removes: [jobs[0]!.id], version: '39' } }, { feed: '38' });
    expect(await changedIds()).toEqual([]);
    expect((await feedState()).version).toBe('40');
    expect(device.events).toEqual(['shelf-foreign']);
  });
});

describe('a newer manifest', () => {
  const later = [...jobs.slice(10), ...Array.from({ length: 15 }, () => makeFeedJob())];

  test('keeps the old list whole until all of the new is here, then switches and deletes segments that the manifest does not name', async () => {
    const collections = await whole('40');
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [], version: '41' } }, { feed: '40' });
    const next = await buildSnapshot('feed', '90', later, 10);
    await device.apply(collections, { feed: { manifest: next.manifest } }, { feed: '41' });
    await collections.settled();
    // The segment is not served yet: the server has deleted the first one, so the old manifest stays.
    expect((await feedState()).manifest?.version).toBe('40');

    device.serve(next);
    expect((await collections.asked()).versions.feed).toBeNull();
    await device.apply(collections, { feed: { manifest: next.manifest } }, { feed: null });
    expect(await feedState()).toMatchObject({ manifest: { version: '40' }, coming: { version: '90' } });
    expect('feed' in (await collections.asked()).versions).toBe(false);
    await collections.settled();
    expect(await feedState()).toMatchObject({ manifest: { version: '90' }, coming: null, version: '90' });
    expect(await changedIds()).toEqual([]);
    expect(await hashesHere()).toEqual([...next.texts.keys()].toSorted());
  });

  test('asked for because fresh grew long, it keeps the changes that came after it', async () => {
    const collections = await whole('40');
    const many = Array.from({ length: 4_001 }, (_none, at) => `gone-${at}`);
    await device.apply(collections, { feed: { puts: [], removes: many, version: '41' } }, { feed: '40' });
    expect((await collections.asked()).versions.feed).toBeNull();
    expect((await collections.asked()).versions.feed).toBe('41');
    const kept = makeFeedJob();
    await device.apply(collections, { feed: { puts: [kept], removes: [], version: '60' } }, { feed: '41' });
    const next = await buildSnapshot('feed', '50', later, 10);
    device.serve(next);
    await device.apply(collections, { feed: { manifest: next.manifest } }, { feed: null });
    await collections.settled();
    expect(await feedState()).toMatchObject({ manifest: { version: '50' }, version: '60' });
    expect(await changedIds()).toEqual([kept.id]);
  });

  test('[S5] from a database that was set back, it replaces what was of the other timeline', async () => {
    const collections = await whole('40');
    const fromTheOtherTimeline = makeFeedJob();
    await device.apply(
      collections,
      { feed: { puts: [fromTheOtherTimeline], removes: [jobs[0]!.id], version: '41' } },
      { feed: '40' },
    );
    await collections.forgetVersions(await collections.asked());
    expect((await collections.asked()).versions.feed).toBeNull();
    // The restored database has come to the same numbers again, with other rows behind them.
    const restored = await buildSnapshot('feed', '41', later, 10);
    device.serve(restored);
    await device.apply(collections, { feed: { manifest: restored.manifest } }, { feed: null });
    expect(await changedIds()).toEqual([jobs[0]!.id, fromTheOtherTimeline.id].toSorted());
    await collections.settled();
    expect(await changedIds()).toEqual([]);
    expect(await feedState()).toMatchObject({ manifest: { version: '41' }, coming: null, version: '41' });
  });

  test('downloads only what it lacks', async () => {
    const collections = await whole('40');
    device.fetched.length = 0;
    const next = await buildSnapshot('feed', '90', [...jobs, makeFeedJob()], 10);
    device.serve(next);
    await device.apply(collections, { feed: { manifest: next.manifest } }, { feed: '40' });
    await collections.settled();
    expect(device.fetched).toEqual([must(next.manifest.segments[0], 'newest').hash]);
  });
});

describe('[I8] losing the right to the feed', () => {
  test('takes segments, changes and cached photos off the device', async () => {
    const collections = await whole('40');
    await device.apply(collections, { feed: { puts: [makeFeedJob()], removes: [], version: '41' } }, { feed: '40' });
    await device.apply(collections, { feed: { denied: true } }, { feed: '41' });
    expect([await hashesHere(), await changedIds()]).toEqual([[], []]);
    expect(await feedState()).toMatchObject({ denied: true, version: null, manifest: null });
    expect(device.denied).toEqual(['feed']);
    expect(await collections.find('jobs', jobs[0]!.id)).toBeUndefined();
  });

  test('a segment whose download was under way is not stored', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 60);
    let answer: (text: string) => void = () => undefined;
    const text = new Promise<string>((resolve) => (answer = resolve));
    const collections = openWith(async () => bytesOf(await text));
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await device.apply(collections, { feed: { denied: true } }, { feed: '40' });
    answer(must([...snapshot.texts.values()][0], 'text'));
    await collections.settled();
    expect(await hashesHere()).toEqual([]);
  });

  test('is noticed also while the first list of a database that was set back is coming', async () => {
    await forget(await whole('40'));
    const collections = openWith(async () => ({ kind: 'refused' }));
    const restored = await buildSnapshot('feed', '41', [...jobs, makeFeedJob()], 10);
    await device.apply(collections, { feed: { manifest: restored.manifest } }, { feed: null });
    await collections.settled();
    expect((await collections.asked()).versions.feed).toBeNull();
    await device.apply(collections, { feed: { denied: true } }, { feed: null });
    expect([await hashesHere(), await changedIds()]).toEqual([[], []]);
  });

  test('is not what an expired token means: the download goes on', async () => {
    await forget(await whole('40'));
    const collections = openWith(async () => ({ kind: 'unauthorized' }));
    const restored = await buildSnapshot('feed', '41', [...jobs, makeFeedJob()], 10);
    await device.apply(collections, { feed: { manifest: restored.manifest } }, { feed: null });
    await collections.settled();
    expect(await feedState()).toMatchObject({ coming: { version: '41' } });
  });
});

test('a row is found in the collection and widened to its table’s row; a changed row wins, a removed one is not there', async () => {
  const collections = await whole('40');
  expect(await collections.find('jobs', jobs[3]!.id)).toEqual({ ...jobs[3], userId: null, closedAt: null });
  await device.apply(
    collections,
    { feed: { puts: [{ ...jobs[3]!, title: 'Newer' }], removes: [jobs[4]!.id], version: '41' } },
    { feed: '40' },
  );
  expect(await collections.find('jobs', jobs[3]!.id)).toMatchObject({ title: 'Newer' });
  expect(await collections.find('jobs', jobs[4]!.id)).toBeUndefined();
});

test('without signing in, a public collection comes by itself, and an older manifest changes nothing', async () => {
  const rows = Array.from({ length: 3 }, (_none, at): CollectionRow<'reference'> => ({
    id: `c${at}`,
    kind: 'category',
    name: `C${at}`,
    region: null,
    latitude: null,
    longitude: null,
    isApproximate: null,
    createdAt: '2026-01-01T00:00:00.000Z',
  }));
  const [old, next] = [
    await buildSnapshot('reference', '5', rows.slice(0, 1)),
    await buildSnapshot('reference', '7', rows),
  ];
  device.serve(old);
  device.serve(next);
  let manifest = next.manifest;
  const collections = device.open({
    fetchManifest: async () => manifest,
    dbs: { publicDb: device.publicDb },
  });
  await collections.refreshPublic('reference');
  await collections.settled();
  expect(await device.publicDb.segments.count()).toBe(1);
  manifest = old.manifest;
  await collections.refreshPublic('reference');
  await collections.settled();
  expect(await device.publicDb.shelfStates.get('reference')).toMatchObject({
    version: '7',
    manifest: { version: '7' },
  });
});

/** A device that has all of the jobs at this version. */
async function whole(version: string) {
  const snapshot = await buildSnapshot('feed', version, jobs, 10);
  device.serve(snapshot);
  const collections = device.open();
  await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
  await collections.settled();
  return collections;
}

const forget = async (collections: CollectionsOnDevice) => collections.forgetVersions(await collections.asked());

function openWith(fetchSegment: FetchSegment) {
  return device.open({ fetchSegment });
}
