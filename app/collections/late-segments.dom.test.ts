import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { bytesOf, openCollections, userId } from './testing/open-collections.ts';
import { makeFeedJob, buildSnapshot } from './testing/build-snapshot.ts';
import { hashesOf, isAskedFor, createHeldSegments } from './testing/create-held-segments.ts';

/* What a segment that comes late does on a device that has changed since it was requested. */

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const jobs = Array.from({ length: 40 }, () => makeFeedJob());
const feedState = async () => must(await device.personDb.shelfStates.get('feed'), 'feed state');
const hashesHere = async () => (await device.personDb.segments.toCollection().primaryKeys()).toSorted();

describe('an answer to a request for a segment that comes when', () => {
  /** A device that requested the only segment of one snapshot, and meanwhile applied the manifest of another. */
  async function replaced() {
    const [first, second] = [
      await buildSnapshot('feed', '40', jobs.slice(0, 20)),
      await buildSnapshot('feed', '90', jobs.slice(20)),
    ];
    const held = createHeldSegments(device);
    await device.apply(held.collections, { feed: { manifest: first.manifest } }, { feed: null });
    await isAskedFor(held.asked, must(hashesOf(first)[0], 'first'));
    await device.apply(held.collections, { feed: { manifest: second.manifest } }, { feed: '40' });
    return {
      ...held,
      first: must(hashesOf(first)[0], 'first'),
      second: must(hashesOf(second)[0], 'second'),
      firstText: [...first.texts.values()][0]!,
      secondText: [...second.texts.values()][0]!,
    };
  }

  test('another snapshot has replaced its own is not stored', async () => {
    const { collections, asked, answer, first, second, firstText, secondText } = await replaced();
    await answer(first, bytesOf(firstText));
    await isAskedFor(asked, second);
    expect(await hashesHere()).toEqual([]);
    await answer(second, bytesOf(secondText));
    await collections.settled();
    expect(await hashesHere()).toEqual([second]);
  });

  test.each(['gone', 'refused'] as const)(
    'another snapshot has replaced its own, and says %s, does not end the download of that one',
    async (kind) => {
      const { collections, asked, answer, first, second, secondText } = await replaced();
      await answer(first, { kind });
      await isAskedFor(asked, second);
      expect(await feedState()).toMatchObject({ version: '90', manifest: { version: '90' } });
      await answer(second, bytesOf(secondText));
      await collections.settled();
      expect([await hashesHere(), device.events]).toEqual([[second], [`segment-${kind}`]]);
    },
  );

  test.each([
    ['a segment', undefined],
    ['a rejection', 'refused' as const],
  ])('[I8] the right to it is gone, %s, changes nothing and is no error', async (_what, kind) => {
    const snapshot = await buildSnapshot('feed', '40', jobs);
    const { collections, asked, answer, clock } = createHeldSegments(device);
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await isAskedFor(asked, must(hashesOf(snapshot)[0], 'hash'));
    await device.apply(collections, { feed: { denied: true } }, { feed: '40' });
    const before = await feedState();
    await answer(
      must(hashesOf(snapshot)[0], 'hash'),
      kind === undefined ? bytesOf([...snapshot.texts.values()][0]!) : { kind },
    );
    await collections.settled();
    expect(await feedState()).toEqual(before);
    expect([await hashesHere(), device.events.filter((event) => event !== 'segment-refused')]).toEqual([[], []]);
    expect(clock.next()).toBeUndefined();
  });
});
