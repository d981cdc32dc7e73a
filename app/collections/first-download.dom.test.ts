import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { must } from '../../shared/lib/must.ts';
import type { FetchSegment } from './download-segments.ts';
import { createHttpCollections } from './http-collections.ts';
import { bytesOf, openCollections, userId } from './testing/open-collections.ts';
import { makeFeedJob, buildSnapshot } from './testing/build-snapshot.ts';

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const jobs = Array.from({ length: 60 }, () => makeFeedJob());
const hashesHere = async () => (await device.personDb.segments.toCollection().primaryKeys()).toSorted();

describe('a first download', () => {
  test.each([
    ['slow', 400, 3],
    ['quick', 20, 4],
  ])(
    'downloads segments newest first, two until one is here; on a %s connection (%i ms) then %i at a time',
    async (_line, ms, atOnce) => {
      const snapshot = await buildSnapshot('feed', '40', jobs, 4);
      let now = 0;
      let most = 0;
      let maxBeforeOneIsHere = 0;
      let isOneHere = false;
      let clock = device.clock.now();
      const order: string[] = [];
      const opened = device.open({
        clock: { ...device.clock, now: () => clock },
        fetchSegment: async (_collection, hash) => {
          order.push(hash);
          now += 1;
          most = Math.max(most, now);
          if (!isOneHere) maxBeforeOneIsHere = most;
          // The answer takes long enough for others to be asked for meanwhile.
          for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
          clock += ms;
          now -= 1;
          isOneHere = true;
          return bytesOf(must(snapshot.texts.get(hash), hash));
        },
      });
      await device.apply(opened, { feed: { manifest: snapshot.manifest } }, { feed: null });
      expect((await opened.asked()).versions.feed).toBe('40');
      await opened.settled();
      expect(order).toEqual(snapshot.manifest.segments.map(({ hash }) => hash));
      expect([maxBeforeOneIsHere, most]).toEqual([2, atOnce]);
      expect(await hashesHere()).toEqual(order.toSorted());
    },
  );

  test('goes on where it was killed, without asking again for what is here', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 10);
    let answers = 0;
    const first = openWith(async (_collection, hash) => {
      answers += 1;
      if (answers > 3) throw new Error('no signal');
      return bytesOf(must(snapshot.texts.get(hash), hash));
    });
    await device.apply(first, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await first.settled();
    first.stop();
    expect(await hashesHere()).toHaveLength(3);

    device.serve(snapshot);
    const second = device.open();
    second.resume();
    await second.settled();
    expect(device.fetched).toHaveLength(3);
    expect(await hashesHere()).toHaveLength(6);
  });

  test('a broken or cut-off segment is never stored, and is asked for again later', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 20);
    const broken = must(snapshot.manifest.segments[1], 'segment').hash;
    device.serve(snapshot);
    device.texts.set(broken, must(snapshot.texts.get(broken), 'text').slice(0, -7));
    const collections = device.open();
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    expect(await hashesHere()).not.toContain(broken);
    expect(device.events).toEqual(['segment-broken', 'segment-broken']);

    device.serve(snapshot);
    device.fireTimers();
    await collections.settled();
    expect(await hashesHere()).toContain(broken);
  });

  test('no copy of a segment is kept or used besides the database’s, and a damaged one is asked for again', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 20);
    const asked: string[] = [];
    const http = createHttpCollections({
      accessToken: async () => null,
      clock: device.clock,
      fetch: async (path, init) => {
        const hash = String(path).split('/').at(-1) ?? '';
        asked.push(`${hash} ${init?.cache}`);
        const isSecond = asked.indexOf(`${hash} no-store`) < asked.length - 1;
        return new Response(isSecond ? must(snapshot.texts.get(hash), hash) : 'spoilt');
      },
    });
    const collections = device.open({ fetchSegment: http.fetchSegment });
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    expect(await hashesHere()).toEqual(snapshot.manifest.segments.map(({ hash }) => hash).toSorted());
    expect(asked.toSorted()).toEqual(
      snapshot.manifest.segments.flatMap(({ hash }) => [`${hash} no-store`, `${hash} no-store`]).toSorted(),
    );
  });

  test('a segment that the server has deleted makes the device ask for another manifest', async () => {
    const snapshot = await buildSnapshot('feed', '40', jobs, 20);
    const collections = device.open();
    await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
    await collections.settled();
    expect((await collections.asked()).versions.feed).toBeNull();
  });
});

function openWith(fetchSegment: FetchSegment) {
  return device.open({ fetchSegment });
}
