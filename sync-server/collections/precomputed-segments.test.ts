import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Actor } from '../../shared/actor.ts';
import { precomputedSegments } from './precomputed-segments.ts';

const hash = 'a'.repeat(64);
const segment = { hash, rows: 1, bytes: 2, br: Buffer.from('br'), gzip: Buffer.from('gz') };
const [second, third] = ['b'.repeat(64), 'c'.repeat(64)];
const frames: Record<string, Buffer> = { [hash]: Buffer.from('1'), [second]: Buffer.from('2') };
const paying: Actor = {
  id: 'tradie',
  tradieId: 'business',
  subscriptionStatus: 'active',
  subscriptionValidUntil: null,
};
const actors: Record<string, Actor> = { tradie: paying, lapsed: { ...paying, subscriptionStatus: 'canceled' } };

const find = precomputedSegments({
  collections: {
    segment: (collection, wanted) =>
      Promise.resolve(wanted === hash && collection !== 'reference' ? segment : undefined),
    frame: (_collection, wanted) => Promise.resolve(frames[wanted]),
  },
  verifyToken: (token) =>
    token === 'away'
      ? Promise.reject(new Error('away'))
      : Promise.resolve(token in actors ? { userId: token, email: '' } : undefined),
  anonKey: 'public',
  findActor: (id) => Promise.resolve(actors[id]),
  clock: () => new Date('2026-11-21T00:00:00Z'),
});
const ask = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  find({ method, url, headers: { 'accept-encoding': 'gzip, deflate, br', ...headers } } as unknown as IncomingMessage);
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const [feed, directory] = [`/api/sync/shelves/feed/${hash}`, `/api/sync/shelves/directory/${hash}`];

it('serves a segment to a person who may read it', async () => {
  expect(await ask(directory)).toMatchObject({
    body: segment.br,
    actorId: undefined,
    headers: { 'Content-Encoding': 'br', ETag: `"${hash}-br"` },
  });
  expect(await ask(feed, as('tradie'))).toMatchObject({
    body: segment.br,
    actorId: 'tradie',
    headers: { Vary: 'Accept-Encoding, Authorization' },
  });
});

it('I8: leaves all other callers to the handler', async () => {
  for (const headers of [{}, as('lapsed'), as('nobody'), as('public'), { authorization: 'Basic tradie' }])
    expect(await ask(feed, headers), JSON.stringify(headers)).toBeUndefined();
  await expect(ask(feed, as('away'))).rejects.toThrow('away');
});

it('does not even look at what is not plainly a segment in brotli', () => {
  for (const url of [
    `${directory}?x`,
    `${directory}/`,
    directory.slice(0, -1),
    `/api/sync/shelves/users/${hash}`,
    `/api/sync/shelves/__proto__/${hash}`,
    '/',
    '/api/sync',
  ])
    expect(ask(url), url).toBeUndefined();
  for (const encoding of ['gzip', 'br;q=0', 'br;q=1', 'identity', '*', 'brx'])
    expect(ask(directory, { 'accept-encoding': encoding }), encoding).toBeUndefined();
  expect(ask(directory, { 'if-none-match': '"x"' })).toBeUndefined();
  for (const method of ['HEAD', 'POST']) expect(ask(directory, {}, method), method).toBeUndefined();
});

it('leaves what is not there to the handler', async () => {
  expect(await ask(`/api/sync/shelves/reference/${hash}`)).toBeUndefined();
});

describe('[P9] of several that are asked for at once', () => {
  const zstd = { 'accept-encoding': 'gzip, deflate, br, zstd' };

  it('gives those that are ready, in order, to a person who may read them', async () => {
    expect(await ask(`${directory},${second}`, zstd)).toMatchObject({
      body: Buffer.from('12'),
      headers: {
        'Content-Encoding': 'zstd',
        'X-Segments': '2',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
    });
    expect(await ask(`${feed},${second},${third}`, { ...zstd, ...as('tradie') })).toMatchObject({
      body: Buffer.from('12'),
      actorId: 'tradie',
      headers: { 'Cache-Control': 'no-store', Vary: 'Accept-Encoding, Authorization' },
    });
    expect(await ask(`${feed},${second}`, { ...zstd, ...as('lapsed') })).toBeUndefined();
  });

  it('gives the first alone where no more are ready, or the client takes no frames; no cache keeps that', async () => {
    for (const [url, headers] of [
      [`${directory},${third}`, zstd],
      [`${directory},${second}`, {}],
    ] as const)
      expect(await ask(url, headers)).toMatchObject({
        body: segment.br,
        headers: { 'Content-Encoding': 'br', 'Cache-Control': 'no-store' },
      });
    expect(await ask(`/api/sync/shelves/directory/${third},${hash}`, zstd)).toBeUndefined();
  });

  it('leaves more than sixteen to the handler, which has no such segment', () => {
    const names = (count: number) => `/api/sync/shelves/directory/${Array(count).fill(hash).join()}`;
    expect(ask(names(16), zstd)).toBeDefined();
    expect(ask(names(17), zstd)).toBeUndefined();
  });
});
