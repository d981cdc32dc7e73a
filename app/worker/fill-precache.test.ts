import { expect, test, vi } from 'vitest';
import { fillPrecache, splitManifest } from './fill-precache.ts';

/*
 * The cache is written by hand here; a real one, filled by the bundle of the real build, is in
 * e2e/slow-first-visit.spec.ts.
 */

const origin = 'https://dwang.example';
const bundle = 'assets/precache-aB3_-x9z.json';

/** A device whose cache holds `cached`, of a version with these files. */
function openDevice(files: readonly string[], cached: readonly string[] = []) {
  const held = new Map<string, Response | undefined>(cached.map((path) => [origin + path, undefined]));
  const cache = {
    keys: async () => [...held.keys()].map((url) => ({ url })),
    put: async (url: string, response: Response) => void held.set(url, response),
  } as unknown as Cache;
  return {
    keys: new Map(files.map((path) => [origin + path, origin + path])),
    open: async () => cache,
    held,
    log: vi.fn<(event: string, detail: string) => void>(),
  };
}

const answer = (files: unknown) => vi.fn(async () => Response.json(files));
const small = [
  ['/assets/a.js', 'a()'],
  ['/assets/b.css', 'b{}'],
];

test('on a phone without the app the small files come in one request, each with its type', async () => {
  const device = openDevice(['/assets/a.js', '/assets/b.css', '/index.html']);
  const fetch = answer(small);
  await fillPrecache({ ...device, bundle, fetch });
  expect(fetch.mock.calls).toEqual([[bundle]]);
  const a = device.held.get(`${origin}/assets/a.js`);
  const b = device.held.get(`${origin}/assets/b.css`);
  expect([await a?.text(), a?.headers.get('content-type')]).toEqual(['a()', 'text/javascript']);
  expect([await b?.text(), b?.headers.get('content-type')]).toEqual(['b{}', 'text/css']);
  expect(device.held.size).toBe(2);
});

test('a new version that differs in a few files asks for these alone', async () => {
  const device = openDevice(['/assets/a.js', '/assets/b.css'], ['/assets/b.css']);
  const fetch = answer(small);
  await fillPrecache({ ...device, bundle, fetch });
  expect(fetch).not.toHaveBeenCalled();
});

test('what the phone has already, and what this version does not list, is not written', async () => {
  const files = ['/assets/a.js', '/assets/b.css', '/assets/c.js'];
  const device = openDevice(files, ['/assets/b.css']);
  await fillPrecache({ ...device, bundle, fetch: answer([...small, ['/assets/unlisted.js', '']]) });
  expect([...device.held.keys()]).toEqual([`${origin}/assets/b.css`, `${origin}/assets/a.js`]);
  expect(device.held.get(`${origin}/assets/b.css`)).toBeUndefined();
});

test.each([
  ['does not come', async () => Promise.reject(new TypeError('Failed to fetch'))],
  ['is not there any more', async () => new Response('', { status: 404 })],
  ['is cut off', async () => new Response('[["/assets/a.js","a(')],
])('a bundle that %s is said in the log, and the files are asked for by name', async (_, fetch) => {
  const device = openDevice(['/assets/a.js', '/assets/b.css']);
  await fillPrecache({ ...device, bundle, fetch });
  expect(device.held.size).toBe(0);
  expect(device.log).toHaveBeenCalledExactlyOnceWith('precache-bundle', expect.any(String));
});

test('the bundle is no file to keep', () => {
  const file = { url: 'assets/a.js' };
  expect(splitManifest([file, { url: bundle }])).toEqual({ kept: [file], bundle });
  expect(splitManifest([file])).toEqual({ kept: [file], bundle: undefined });
});
