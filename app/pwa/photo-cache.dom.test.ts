import { expect, test } from 'vitest';
import { servePicture } from '../worker/serve-picture.ts';
import { cacheFor, dropFeedPhotos, photoCacheName, trimCache } from './photo-cache.ts';
import { fakeCaches } from './testing/fake-caches.ts';

const base = 'https://files.example.nz/storage/v1/object/public/job-photos/';
const urls = async (caches: CacheStorage) =>
  (await (await caches.open(photoCacheName)).keys()).map(({ url }) => url.slice(base.length));

const bytes = () => new Response('bytes', { headers: { 'content-type': 'image/jpeg' } });

/** Caches, a network that counts, and `settled` for what goes on after the answer. */
function world(answer: (mode: string | undefined) => Promise<Response>) {
  const caches = fakeCaches();
  const asked: (string | undefined)[] = [];
  const logged: string[] = [];
  let after = Promise.resolve() as Promise<unknown>;
  const fetch = (async (_input: RequestInfo | URL, init?: RequestInit) => {
    asked.push(init?.mode);
    return answer(init?.mode);
  }) as typeof globalThis.fetch;
  const keep = { name: photoCacheName, max: 3 };
  return {
    caches,
    asked,
    logged,
    settled: () => after,
    get: (path: string) =>
      servePicture(new Request(base + path), keep, {
        caches,
        fetch,
        later: (work) => void (after = Promise.all([after, work])),
        log: (event, detail) => void logged.push(`${event}: ${detail}`),
      }),
  };
}

test('a picture is fetched once, as CORS, and then comes from the device', async () => {
  const { get, asked, settled } = world(async () => bytes());
  expect(await (await get('u/j/1.jpg')).text()).toBe('bytes');
  await settled();
  expect(await (await get('u/j/1.jpg')).text()).toBe('bytes');
  expect(asked).toEqual(['cors']);
});

test('what could not be had, or is no picture, is not kept; storage without CORS still shows its pictures', async () => {
  const missing = world(async () => new Response('no', { status: 404 }));
  expect((await missing.get('u/j/1.jpg')).status).toBe(404);
  await missing.settled();
  expect(await urls(missing.caches)).toEqual([]);

  const portal = world(async () => new Response('<h1>Free wifi</h1>', { headers: { 'content-type': 'text/html' } }));
  await portal.get('u/j/1.jpg');
  await portal.settled();
  expect(await urls(portal.caches)).toEqual([]);

  const plain = world(async (mode) => (mode === 'cors' ? Promise.reject(new TypeError('CORS')) : bytes()));
  expect(await (await plain.get('u/j/1.jpg')).text()).toBe('bytes');
  expect(await urls(plain.caches)).toEqual([]);
});

test.each(['open', 'match', 'put'] as const)(
  'a cache that fails to %s hides no picture that is on the net, and that is logged',
  async (broken) => {
    const { get, caches, asked, logged, settled } = world(async () => bytes());
    const fail = () => Promise.reject(new DOMException('disk', 'UnknownError'));
    const open = caches.open.bind(caches);
    caches.open = broken === 'open' ? fail : async (name) => Object.assign(await open(name), { [broken]: fail });
    expect(await (await get('u/j/1.jpg')).text()).toBe('bytes');
    await settled();
    expect(asked).toEqual(['cors']);
    expect(new Set(logged)).toEqual(new Set(['pictures: UnknownError: disk']));
  },
);

test('the oldest are evicted', async () => {
  const { get, caches, settled } = world(async () => bytes());
  for (const name of ['1', '2', '3', '4', '5']) {
    await get(name);
    await settled();
  }
  expect(await urls(caches)).toEqual(['3', '4', '5']);
  await trimCache(caches, { name: photoCacheName, max: 1 });
  expect(await urls(caches)).toEqual(['5']);
});

test('[I8] a denied feed takes other people’s photos off the device and leaves one’s own', async () => {
  const { get, caches, settled } = world(async () => bytes());
  await get('j1/1.jpg');
  await get('j2/1.jpg');
  await settled();
  await dropFeedPhotos(caches, new Set(['/storage/v1/object/public/job-photos/j1/1.jpg']));
  expect(await urls(caches)).toEqual(['j1/1.jpg']);
});

test('only pictures of our storage are kept', () => {
  expect(cacheFor(new URL(`${base}u/j/1.jpg`))?.name).toBe(photoCacheName);
  expect(cacheFor(new URL('https://files.example.nz/storage/v1/object/public/tradie-logos/u/1.png'))?.name).toBe(
    'dwang-logos',
  );
  expect(cacheFor(new URL('https://files.example.nz/storage/v1/object/job-photos/u/j/1.jpg'))).toBeUndefined();
});
