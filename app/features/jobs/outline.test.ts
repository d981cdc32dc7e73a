import { expect, test } from 'vitest';
import svg from './nz.svg?raw';
import { readOutline } from './outline.ts';

const drawn = { path: / d="([^"]+)"/.exec(svg)![1], viewBox: / viewBox="([^"]+)"/.exec(svg)![1] };

/** One cache, in memory: what Cache Storage does with it is tried in e2e/map.spec.ts. */
function openCaches(entries = new Map<string, string>()) {
  const cache = {
    match: async (address: string) => {
      const text = entries.get(address);
      return text === undefined ? undefined : new Response(text);
    },
    keys: async () => [...entries.keys()],
    delete: async (address: string) => entries.delete(address),
    put: async (address: string, answer: Response) => void entries.set(address, await answer.text()),
  };
  return { entries, caches: { open: async () => cache } as unknown as CacheStorage };
}
const noSignal = () => Promise.reject(new TypeError('The server could not be reached.'));
const answers = (status: number, text: string) => () => Promise.resolve(new Response(text, { status }));
const log = () => undefined;

test('the outline is fetched once, kept, and then here without signal', async () => {
  const { caches, entries } = openCaches(new Map([['/assets/nz-old.svg', '<svg/>']]));
  expect(await readOutline('/assets/nz-new.svg', { fetch: answers(200, svg), caches, log })).toEqual(drawn);
  expect([...entries.keys()]).toEqual(['/assets/nz-new.svg']);
  expect(await readOutline('/assets/nz-new.svg', { fetch: noSignal, caches, log })).toEqual(drawn);
});

test('without signal and not kept, or answered with a captive portal’s page, there is none, and nothing is kept', async () => {
  const { caches, entries } = openCaches();
  for (const fetch of [noSignal, answers(503, ''), answers(200, '<html>Sign in to the wifi</html>')])
    await expect(readOutline('/assets/nz.svg', { fetch, caches, log })).rejects.toThrow();
  expect(entries.size).toBe(0);
});

test('a browser that keeps nothing draws it all the same', async () => {
  const broken = { open: () => Promise.reject(new Error('SecurityError')) } as unknown as CacheStorage;
  for (const caches of [undefined, broken])
    expect(await readOutline('/assets/nz.svg', { fetch: answers(200, svg), caches, log })).toEqual(drawn);
});

test('the outline weighs less than 60 kB, as it is kept', () => {
  expect(new TextEncoder().encode(svg).length).toBeLessThan(60_000);
  expect(svg.startsWith('<svg xmlns="http://www.w3.org/2000/svg"')).toBe(true);
});
