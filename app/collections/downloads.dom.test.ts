import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import type { CollectionRow } from '../../shared/tables/collections.ts';
import { fillStorage } from '../testing/fill-storage.ts';
import { manualClock } from '../testing/manual-clock.ts';
import type { FetchedSegment } from './download-segments.ts';
import { bytesOf, openCollections, userId } from './testing/open-collections.ts';
import { makeFeedJob, buildSnapshot, type BuiltSnapshot } from './testing/build-snapshot.ts';
import { hashesOf, isAskedFor, createHeldSegments } from './testing/create-held-segments.ts';

/* The order of segments, retries, and snapshots that are here already. */

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const jobs = Array.from({ length: 40 }, () => makeFeedJob());
const feedState = async () => must(await device.personDb.shelfStates.get('feed'), 'feed state');
const hashesHere = async () => (await device.personDb.segments.toCollection().primaryKeys()).toSorted();
const store = (snapshot: BuiltSnapshot, hashes = hashesOf(snapshot)) =>
  device.personDb.segments.bulkPut(
    hashes.map((hash) => ({ hash, shelf: 'feed' as const, text: must(snapshot.texts.get(hash), hash) })),
  );

/** Waits until everything left needs a timer. */
const turns = async () => {
  for (let turn = 0; turn < 30; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
};

const created = (at: number) => `2026-01-01T00:00:${10 + at}.000Z`;
const town = (at: number): CollectionRow<'reference'> => ({
  id: `t${at}`,
  kind: 'location',
  name: `T${at}`,
  region: 'R',
  latitude: null,
  longitude: null,
  isApproximate: null,
  createdAt: created(at),
});
const business = (at: number): CollectionRow<'directory'> => ({
  id: `b${at}`,
  businessName: `B${at}`,
  logo: '',
  description: '',
  categoryIds: [],
  locationId: 'x',
  isVerified: false,
  createdAt: created(at),
});

test('the collections that every screen needs and the first screenful of jobs come first, then all in turn, whatever their length', async () => {
  const reference = await buildSnapshot('reference', '5', [town(1), town(2)], 1);
  const directory = await buildSnapshot(
    'directory',
    '6',
    Array.from({ length: 4 }, (_none, at) => business(at)),
    1,
  );
  const feed = await buildSnapshot('feed', '7', jobs.slice(0, 3), 1);
  for (const snapshot of [reference, directory, feed]) device.serve(snapshot);
  const clock = manualClock();
  const collections = device.open({ clock });
  const answers = {
    reference: { manifest: reference.manifest },
    directory: { manifest: directory.manifest },
    feed: { manifest: feed.manifest },
  };
  await device.apply(collections, answers, { reference: null, directory: null, feed: null });
  await collections.settled();
  const [r, d, f] = [hashesOf(reference), hashesOf(directory), hashesOf(feed)];
  expect(device.fetched).toEqual([r[0], f[0], d[0], r[1], f[1], d[1], f[2], d[2], d[3]]);
  expect([await hashesHere(), await device.publicDb.segments.count()]).toEqual([f.toSorted(), 6]);
  // Everything is here: no retry is scheduled.
  expect(clock.next()).toBeUndefined();
});

describe('a download that breaks off', () => {
  test('is retried after a wait that doubles up to a minute; a success resets the wait', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs);
    const clock = manualClock();
    let hasSignal = false;
    const collections = device.open({
      clock,
      fetchSegment: async (_collection, hash) => {
        if (!hasSignal) throw new Error('no signal');
        return bytesOf(must(snapshot.texts.get(hash), hash));
      },
    });
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    // The random number is 0.5: three quarters of 2 s, 4 s, 8 s …
    for (const wait of [1_500, 3_000, 6_000, 12_000, 24_000, 45_000, 45_000]) {
      expect(clock.next()).toBe(wait);
      clock.advance(wait);
      await collections.settled();
    }
    expect(device.events).toEqual(Array.from({ length: 8 }, () => 'shelf-download'));
    hasSignal = true;
    clock.advance(45_000);
    await collections.settled();
    expect([clock.next(), await hashesHere()]).toEqual([undefined, hashesOf(snapshot)]);
    hasSignal = false;
    const next = await buildSnapshot('feed', '90', [...jobs, makeFeedJob()]);
    await device.apply(collections, { feed: { manifest: next.manifest } }, { feed: '40' });
    await collections.settled();
    expect(clock.next()).toBe(1_500);
  });

  test('now and then goes on soon, for as long as each attempt brings something', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 4);
    const clock = manualClock();
    let asked = 0;
    const collections = device.open({
      clock,
      fetchSegment: async (_collection, hash) => {
        asked += 1;
        if (asked % 2 === 0) throw new Error('the line broke');
        return bytesOf(must(snapshot.texts.get(hash), hash));
      },
    });
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    let attempts = 1;
    for (let wait = clock.next(); wait !== undefined; wait = clock.next()) {
      // One attempt at most in a row brings nothing.
      expect(wait).toBeLessThanOrEqual(3_000);
      clock.advance(wait);
      await collections.settled();
      attempts += 1;
    }
    expect(await hashesHere()).toEqual(hashesOf(snapshot).toSorted());
    expect(attempts).toBeGreaterThan(4);
  });

  test('and is woken before its wait is over is not retried again when that ends', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs);
    const clock = manualClock();
    let asked = 0;
    const collections = device.open({
      clock,
      fetchSegment: () => {
        asked += 1;
        return Promise.reject(new Error('no signal'));
      },
    });
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    collections.resume();
    await collections.settled();
    expect(asked).toBe(2);
    clock.advance(2_999);
    await collections.settled();
    expect(asked).toBe(2);
    collections.stop();
    expect(clock.next()).toBeUndefined();
    collections.resume();
    await collections.settled();
    expect([asked, clock.next()]).toEqual([2, undefined]);
  });

  test('because it was stopped logs nothing, requests no other segment and is not retried', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 5);
    const clock = manualClock();
    let asked = 0;
    const collections = device.open({
      clock,
      fetchSegment: (_collection, _hash, signal) => {
        asked += 1;
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
      },
    });
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await expect.poll(() => asked).toBe(2);
    collections.stop();
    await collections.settled();
    expect([asked, device.events, clock.next()]).toEqual([2, [], undefined]);
  });

  test('because it was stopped stays stopped when a late answer comes', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs);
    const { clock, asked, collections, answer } = createHeldSegments(device);
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await isAskedFor(asked, must(hashesOf(snapshot)[0], 'hash'));
    collections.stop();
    await answer(must(hashesOf(snapshot)[0], 'hash'), bytesOf([...snapshot.texts.values()][0]!));
    await collections.settled();
    expect([device.events, clock.next()]).toEqual([[], undefined]);
  });

  test('because storage is full is logged once and retried later', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 10);
    const { clock, asked, collections, answer } = createHeldSegments(device);
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await turns();
    const makeRoom = fillStorage();
    for (let at = 0; at < 4; at += 1) {
      const hash = hashesOf(snapshot)[at]!;
      await answer(hash, bytesOf(must(snapshot.texts.get(hash), hash)));
      await turns();
    }
    await collections.settled();
    makeRoom();
    expect([asked.size, await hashesHere(), device.events, clock.next()]).toEqual([4, [], ['shelf-download'], 1_500]);
  });
});

test('a download that is woken while it runs requests no segment twice', async () => {
  const snapshot = await buildSnapshot('feed', '40', jobs, 20);
  const asked: string[] = [];
  const answers = new Map<string, (answer: FetchedSegment) => void>();
  const collections = device.open({
    fetchSegment: (_collection, hash) => {
      asked.push(hash);
      return new Promise((resolve) => answers.set(hash, resolve));
    },
  });
  await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
  await expect.poll(() => asked).toEqual(hashesOf(snapshot));
  collections.resume();
  await turns();
  expect(asked).toEqual(hashesOf(snapshot));
  for (const hash of hashesOf(snapshot)) must(answers.get(hash), hash)(bytesOf(must(snapshot.texts.get(hash), hash)));
  await collections.settled();
  expect([asked, await hashesHere()]).toEqual([hashesOf(snapshot), hashesOf(snapshot).toSorted()]);
});

test('a segment that the server has deleted ends the download of its collection, and of no other', async () => {
  const [feed, directory] = [
    await buildSnapshot('feed', '40', jobs, 2),
    await buildSnapshot('directory', '6', [business(1), business(2), business(3)], 1),
  ];
  device.serve(directory);
  const collections = device.open();
  await device.apply(
    collections,
    { feed: { manifest: feed.manifest }, directory: { manifest: directory.manifest } },
    { feed: null, directory: null },
  );
  await collections.settled();
  expect(await device.publicDb.segments.count()).toBe(3);
  // Those in flight when the first was answered.
  expect(device.fetched.filter((hash) => hashesOf(feed).includes(hash)).length).toBeLessThan(10);
  expect(new Set(device.events)).toEqual(new Set(['segment-gone']));
  expect((await collections.asked()).versions).toMatchObject({ feed: null, directory: '6' });
});

describe('a snapshot whose segments are all here already', () => {
  test('takes over after the app was killed just before that', async () => {
    const [old, next] = [
      await buildSnapshot('feed', '40', jobs, 10),
      await buildSnapshot('feed', '90', jobs.slice(10), 10),
    ];
    await store(old);
    await store(next);
    await device.personDb.shelfStates.put({
      shelf: 'feed',
      version: '40',
      timeline: 'first',
      manifest: old.manifest,
      coming: next.manifest,
      denied: false,
      updatedAt: null,
    });
    const collections = device.open();
    collections.resume();
    await collections.settled();
    expect(await feedState()).toMatchObject({ version: '90', manifest: { version: '90' }, coming: null });
    expect(await hashesHere()).toEqual(hashesOf(next).toSorted());
    expect(device.fetched).toEqual([]);
  });

  test('deletes the segments of an earlier snapshot that was never complete', async () => {
    const [broken, whole] = [
      await buildSnapshot('feed', '40', jobs.slice(0, 20), 5),
      await buildSnapshot('feed', '90', jobs.slice(20), 5),
    ];
    device.serve(whole);
    await store(broken, hashesOf(broken).slice(0, 2));
    const collections = device.open();
    await device.apply(collections, { feed: { manifest: whole.manifest } }, { feed: null });
    await collections.settled();
    expect(await hashesHere()).toEqual(hashesOf(whole).toSorted());
  });
});

test('a newer snapshot that the server has deleted leaves the old one in place: changes are requested from its version', async () => {
  const old = await buildSnapshot('feed', '40', jobs, 10);
  device.serve(old);
  const collections = device.open();
  await device.apply(collections, { feed: { manifest: old.manifest } }, { feed: null });
  await collections.settled();
  const next = await buildSnapshot('feed', '90', [...jobs, makeFeedJob()], 10);
  await device.apply(collections, { feed: { manifest: next.manifest } }, { feed: null });
  await collections.settled();
  expect(await feedState()).toMatchObject({ version: '40', manifest: { version: '40' }, coming: null });
  expect((await collections.asked()).versions.feed).toBe('40');
});

test('a downloaded segment goes to onDownloaded once its hash has been verified', async () => {
  const snapshot = await buildSnapshot('feed', '40', jobs, 20);
  const downloaded = new Map<string, string>();
  device.serve(snapshot);
  const [good, broken] = hashesOf(snapshot) as [string, string];
  device.texts.set(broken, 'spoilt');
  const collections = device.open({ onDownloaded: (_collection, hash, text) => void downloaded.set(hash, text) });
  await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
  await collections.settled();
  expect(downloaded).toEqual(new Map([[good, snapshot.texts.get(good)]]));
});
