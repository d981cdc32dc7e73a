import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { buildSnapshot, makeBusiness, makeFeedJob, makeTown } from './testing/build-snapshot.ts';
import { hashesOf } from './testing/open-held-segments.ts';
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
});
