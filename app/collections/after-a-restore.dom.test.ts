import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { CollectionName, CollectionRow } from '../../shared/tables/collections.ts';
import type { CollectionDb } from '../db/person-db.ts';
import { openCollectionMemory } from './collection-memory.ts';
import { openCollections, questionOf, userId } from './testing/open-collections.ts';
import { makeFeedJob, buildSnapshot } from './testing/build-snapshot.ts';

/* [S11] What a device keeps of a collection says which timeline it is of, and is asked for with both. */

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const business = (at: number): CollectionRow<'directory'> => ({
  id: `0195b000-0000-7000-8000-0000000000${10 + at}`,
  businessName: `Business ${at}`,
  logo: '',
  description: '',
  categoryIds: [],
  locationId: 'x',
  isVerified: false,
  createdAt: `2026-01-01T00:00:${10 + at}.000Z`,
});
const businesses = (...numbers: number[]) => numbers.map(business);
const stateIn = async (db: CollectionDb, collection: CollectionName) =>
  must(await db.shelfStates.get(collection), collection);

/** What a screen would show. */
async function shown(db: CollectionDb): Promise<string[]> {
  const memory = openCollectionMemory({ db, collection: 'directory' });
  const snapshot = await new Promise<ReturnType<typeof memory.current>>((resolve) => {
    const look = () => {
      const now = memory.current();
      if (now.status === 'ready' || now.status === 'absent') resolve(now);
    };
    memory.subscribe(look);
    look();
  });
  memory.close();
  return snapshot.rows.map(({ businessName }) => businessName).toSorted();
}

/** A visitor whose server has this snapshot. */
function visitor(answer: () => Awaited<ReturnType<typeof buildSnapshot>>) {
  return device.open({
    dbs: { publicDb: device.publicDb },
    fetchManifest: async () => {
      device.serve(answer());
      return answer().manifest;
    },
  });
}

test('[S11] a version is asked for together with its timeline, from the shared database too', async () => {
  const collections = device.open();
  const [directory, feed] = [
    await buildSnapshot('directory', '41', businesses(1), 500, 'old timeline'),
    await buildSnapshot('feed', '44', [makeFeedJob()], 500, 'new timeline'),
  ];
  device.serve(directory);
  device.serve(feed);
  await device.apply(
    collections,
    { directory: { manifest: directory.manifest }, feed: { manifest: feed.manifest } },
    { directory: null, feed: null },
  );
  await collections.settled();
  expect(await collections.asked()).toMatchObject({
    versions: { directory: '41', feed: '44', reference: null },
    timelines: { directory: 'old timeline', feed: 'new timeline' },
  });
  expect((await collections.asked()).timelines).not.toHaveProperty('reference');
});

test('[S11] what an earlier app kept without a timeline is shown, and never asked from', async () => {
  const snapshot = await buildSnapshot('directory', '41', businesses(1, 2));
  device.serve(snapshot);
  const { timeline: _timeline, ...bare } = snapshot.manifest;
  await device.publicDb.shelfStates.put({
    shelf: 'directory',
    version: '41',
    manifest: bare,
    coming: null,
    denied: false,
    updatedAt: null,
  });
  await device.publicDb.segments.bulkPut(
    Array.from(snapshot.texts, ([hash, text]) => ({ hash, shelf: 'directory' as const, text })),
  );
  const collections = device.open();
  expect(await shown(device.publicDb)).toEqual(['Business 1', 'Business 2']);
  expect((await collections.asked()).versions.directory).toBeNull();
  const next = await buildSnapshot('directory', '30', businesses(2), 500, 'new timeline');
  device.serve(next);
  await device.apply(collections, { directory: { manifest: next.manifest } }, { directory: null });
  await collections.settled();
  expect(await shown(device.publicDb)).toEqual(['Business 2']);
  expect(await collections.asked()).toMatchObject({
    versions: { directory: '30' },
    timelines: { directory: 'new timeline' },
  });
});

describe('[S11] a visitor who is signed out', () => {
  test.each([
    ['lower', '30'],
    ['equal', '41'],
    ['higher', '50'],
  ])('takes the list of a restored database over whatever was here, at a %s version (%s)', async (_word, version) => {
    let answer = await buildSnapshot('directory', '41', businesses(1, 2, 3));
    const collections = visitor(() => answer);
    await collections.refreshPublic('directory');
    await collections.settled();
    answer = await buildSnapshot('directory', version, businesses(1, 4), 500, 'restored');
    await collections.refreshPublic('directory');
    await collections.settled();
    expect(await shown(device.publicDb)).toEqual(['Business 1', 'Business 4']);
    expect(await stateIn(device.publicDb, 'directory')).toMatchObject({ version, timeline: 'restored', coming: null });
  });

  test('loses what a signed-in person’s exchange had written over it on the other timeline', async () => {
    let answer = await buildSnapshot('directory', '41', businesses(1, 2));
    await visitor(() => answer).refreshPublic('directory');
    const signedIn = device.open();
    await signedIn.settled();
    signedIn.resume();
    await signedIn.settled();
    await device.apply(
      signedIn,
      { directory: { puts: [business(3)], removes: [business(1).id], version: '45', timeline: 'first' } },
      { directory: '41' },
    );
    expect(await shown(device.publicDb)).toEqual(['Business 2', 'Business 3']);
    answer = await buildSnapshot('directory', '43', businesses(1, 2, 5), 500, 'restored');
    const collections = visitor(() => answer);
    await collections.refreshPublic('directory');
    await collections.settled();
    expect(await shown(device.publicDb)).toEqual(['Business 1', 'Business 2', 'Business 5']);
    expect(await device.publicDb.fresh.count()).toBe(0);
  });

  test('sees the change at once in a list that is on the screen, though the version says the same', async () => {
    let answer = await buildSnapshot('directory', '41', businesses(1, 2));
    const collections = visitor(() => answer);
    await collections.refreshPublic('directory');
    await collections.settled();
    const memory = openCollectionMemory({ db: device.publicDb, collection: 'directory' });
    const untilRows = (count: number) =>
      new Promise<void>((resolve) => {
        const look = () => void (memory.current().rows.length === count && resolve());
        memory.subscribe(look);
        look();
      });
    await untilRows(2);
    answer = await buildSnapshot('directory', '41', businesses(7), 500, 'restored');
    await collections.refreshPublic('directory');
    await collections.settled();
    await untilRows(1);
    expect(memory.find(business(7).id)?.businessName).toBe('Business 7');
    memory.close();
  });
});

test('[S11] a change is written only over the timeline it was asked from', async () => {
  const snapshot = await buildSnapshot('feed', '41', [makeFeedJob()]);
  device.serve(snapshot);
  const collections = device.open();
  await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
  await collections.settled();
  const job = makeFeedJob();
  const marks = (await collections.asked()).marks;
  await collections.apply(
    { feed: { puts: [job], removes: [], version: '42', timeline: 'restored' } },
    questionOf({ feed: '41' }, 'first', marks),
    device.fence,
  );
  await collections.apply(
    { feed: { puts: [job], removes: [], version: '42', timeline: 'restored' } },
    questionOf({ feed: '41' }, 'restored', marks),
    device.fence,
  );
  expect(await device.personDb.fresh.count()).toBe(0);
  expect(device.events).toEqual(['shelf-foreign', 'shelf-foreign']);
  await collections.apply(
    { feed: { puts: [job], removes: [], version: '42', timeline: 'first' } },
    questionOf({ feed: '41' }, 'first', marks),
    device.fence,
  );
  expect(await device.personDb.fresh.count()).toBe(1);
});
