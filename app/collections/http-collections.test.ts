import { expect, test } from 'vitest';
import { createDeferred } from '../testing/deferred.ts';
import { manualClock } from '../testing/manual-clock.ts';
import { createHttpCollections } from './http-collections.ts';
import { silenceMs } from './idle-timeout.ts';

const hash = 'a'.repeat(64);
const signal = new AbortController().signal;
/** Waits until everything left needs a timer. */
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
};

function answering(answer: () => Response, token: string | null = null) {
  const seen: Request[] = [];
  const fetch = (async (path: string, init: RequestInit) => {
    seen.push(new Request(`https://dwang.example${path}`, init));
    return answer();
  }) as typeof globalThis.fetch;
  return { ...createHttpCollections({ fetch, clock: manualClock(), accessToken: async () => token }), seen };
}

test.each([
  [404, { kind: 'gone' }],
  [401, { kind: 'unauthorized' }],
  [403, { kind: 'refused' }],
])('[P9] a segment request answered with %i says so', async (status, fetched) => {
  const { fetchSegment } = answering(() => new Response('no', { status }));
  expect(await fetchSegment('feed', hash, signal)).toEqual(fetched);
});

test('[P7] an error of the server and a page that is no manifest are errors', async () => {
  const unwell = answering(() => new Response('oops', { status: 503 }));
  await expect(unwell.fetchSegment('feed', hash, signal)).rejects.toThrow('segment: status 503');
  await expect(unwell.fetchManifest('reference', signal)).rejects.toThrow('manifest: status 503');
  for (const page of ['<h1>Free wifi</h1>', '{"login":"please"}']) {
    await expect(answering(() => new Response(page)).fetchManifest('reference', signal)).rejects.toThrow(Error);
  }
});

test('[S9] a request carries the token of the person signed in, and none when signed out', async () => {
  const signedIn = answering(() => new Response('text'), 'token');
  await signedIn.fetchSegment('feed', hash, signal);
  expect(signedIn.seen.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual([
    [`https://dwang.example/api/sync/shelves/feed/${hash}`, 'Bearer token'],
  ]);
  const visitor = answering(() => Response.json({ version: '1', timeline: 'first', segments: [] }));
  await visitor.fetchManifest('reference', signal);
  expect(visitor.seen.map(({ url, headers }) => [url, headers.get('authorization')])).toEqual([
    ['https://dwang.example/api/sync/shelves/reference', null],
  ]);
});

test.each([
  ['in one piece', ['kererū']],
  ['in many, cut anywhere', ['k', 'erer', 'ū']],
  ['empty', []],
])('the bytes of a segment are as they were sent: %s', async (_how, pieces) => {
  const { fetchSegment } = answering(
    () =>
      new Response(
        new ReadableStream({
          start: (stream) => {
            for (const piece of pieces) stream.enqueue(new TextEncoder().encode(piece));
            stream.close();
          },
        }),
      ),
  );
  const fetched = await fetchSegment('feed', hash, signal);
  expect(fetched.kind === 'bytes' && new TextDecoder().decode(fetched.bytes)).toBe(pieces.join(''));
});

test('an answer without a body is an empty text, not an error', async () => {
  const fetched = await answering(() => new Response(null)).fetchSegment('feed', hash, signal);
  expect(fetched.kind === 'bytes' && fetched.bytes.length).toBe(0);
});

test('[C13] an answer whose head took almost 30 s has 30 s more for its first byte', async () => {
  const clock = manualClock();
  const head = createDeferred<Response>();
  let send: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (stream) => {
      send = () => {
        stream.enqueue(new TextEncoder().encode('text'));
        stream.close();
      };
    },
  });
  const asked = createHttpCollections({ clock, accessToken: async () => null, fetch: () => head.promise }).fetchSegment(
    'feed',
    hash,
    signal,
  );
  await turns();
  clock.advance(silenceMs - 1);
  head.resolve(new Response(body));
  await turns();
  clock.advance(silenceMs - 1);
  send();
  expect(await asked).toMatchObject({ kind: 'bytes' });
});
