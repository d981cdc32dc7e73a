import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeTradie, makeUser } from '../../shared/testing/make.ts';
import { must } from '../../shared/lib/must.ts';
import { createHttpCollections } from './http-collections.ts';
import { openCollections, userId } from './testing/open-collections.ts';
import { makeFeedJob, buildSnapshot } from './testing/build-snapshot.ts';
import { hashesOf } from './testing/create-held-segments.ts';

/* Several segments in one request (P9). */

let device: Awaited<ReturnType<typeof openCollections>>;
beforeEach(async () => {
  device = await openCollections();
  await device.personDb.users.put(makeUser({ id: userId, tradieId: makeTradie().id, subscriptionStatus: 'active' }));
});
afterEach(() => device.close());

const jobs = Array.from({ length: 120 }, () => makeFeedJob());
const hashesHere = async () => (await device.personDb.segments.toCollection().primaryKeys()).toSorted();

/** A download of 24 segments from a server that answers so; which segments each request named. */
async function download(answer: (texts: readonly string[], request: number) => Response) {
  const snapshot = await buildSnapshot('feed', '40', jobs, 5);
  const asked: string[][] = [];
  const http = createHttpCollections({
    accessToken: async () => null,
    clock: device.clock,
    fetch: async (path) => {
      const hashes = must(String(path).split('/').at(-1), 'the names').split(',');
      asked.push(hashes);
      return answer(
        hashes.map((hash) => must(snapshot.texts.get(hash), hash)),
        asked.length,
      );
    },
  });
  const collections = device.open(http);
  await device.apply(collections, { feed: { manifest: snapshot.manifest } }, { feed: null });
  await collections.settled();
  const sizes = () => asked.map(({ length }) => length);
  return { asked, sizes, wanted: hashesOf(snapshot), collections };
}

/** A body in pieces of three bytes; broken off after `whole` bytes of it. */
function inPieces(text: string, whole = Infinity): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull: (stream) => {
      if (at >= whole) stream.error(new TypeError('network'));
      else if (at >= bytes.length) stream.close();
      else stream.enqueue(bytes.slice(at, (at += 3)));
    },
  });
}

test('after the first, eight are asked for at once, newest first, and cut apart wherever their bytes are', async () => {
  const { asked, sizes, wanted } = await download((texts) => new Response(inPieces(texts.join(''))));
  expect(sizes().slice(0, 3)).toEqual([1, 1, 8]);
  expect(asked.flat()).toEqual(wanted);
  expect(await hashesHere()).toEqual(wanted.toSorted());
});

test('a server that gives only some of them is asked for the rest', async () => {
  const { sizes, wanted } = await download((texts) => new Response(texts.slice(0, 3).join('')));
  expect(sizes().filter((size) => size > 1).length).toBeGreaterThan(1);
  expect(await hashesHere()).toEqual(wanted.toSorted());
});

test.each([404, 503])('from a server that answers such a request with %i they come one by one', async (status) => {
  const { sizes, wanted } = await download((texts) =>
    texts.length > 1 ? new Response('no', { status }) : new Response(texts[0]),
  );
  expect(sizes().filter((size) => size === 1)).toHaveLength(wanted.length);
  expect(await hashesHere()).toEqual(wanted.toSorted());
  expect(device.events).toEqual([]);
});

test('[P9] a line that breaks now and then still brings several at once', async () => {
  const { sizes, wanted, collections } = await download(([one = '', two = '', ...rest], request) =>
    request % 2 === 0 && rest.length > 0
      ? new Response(inPieces([one, two, ...rest].join(''), one.length + two.length + 9))
      : new Response([one, two, ...rest].join('')),
  );
  for (let attempt = 0; attempt < 9; attempt += 1) {
    device.fireTimers();
    await collections.settled();
  }
  expect(await hashesHere()).toEqual(wanted.toSorted());
  expect(sizes().reduce((sum, size) => sum + size, 0) / sizes().length).toBeGreaterThan(2);
  expect(sizes().length).toBeLessThan(wanted.length);
});

test('[P9] what was whole when such an answer broke is kept; where that is the first alone, time after time, all that follows comes one by one', async () => {
  const { asked, sizes, wanted, collections } = await download(([one = '', ...rest]) =>
    rest.length > 0 ? new Response(inPieces([one, ...rest].join(''), one.length + 9)) : new Response(one),
  );
  expect(device.events).toEqual(['shelf-download']);
  for (let attempt = 0; attempt < 3; attempt += 1) {
    device.fireTimers();
    await collections.settled();
  }
  expect(sizes().filter((size) => size > 1).length).toBeLessThanOrEqual(6);
  const first = asked.findIndex(({ length }) => length > 1);
  expect(asked.slice(first + 1).flat()).not.toContain(asked[first]?.[0]);
  expect(await hashesHere()).toEqual(wanted.toSorted());
});

test('[P9] a browser that gives the first of several alone asks one by one from then on', async () => {
  const { sizes, wanted } = await download(
    (texts) => new Response(texts[0], { headers: { 'X-Segments': String(texts.length) } }),
  );
  expect(sizes().filter((size) => size > 1).length).toBeLessThanOrEqual(4);
  expect(await hashesHere()).toEqual(wanted.toSorted());
});

test('one that was damaged among others is asked for again by itself', async () => {
  const { asked, wanted } = await download(
    ([one = '', two, ...rest]) =>
      new Response([one, ...(two === undefined ? [] : ['x'.repeat(two.length)]), ...rest].join('')),
  );
  expect(await hashesHere()).toEqual(wanted.toSorted());
  expect(device.events.every((event) => event === 'segment-broken')).toBe(true);
  expect(asked.filter((hashes) => hashes.length === 1 && hashes[0] === asked[2]?.[1])).toHaveLength(1);
});
