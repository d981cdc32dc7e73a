import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { request } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { must } from '../../shared/lib/must.ts';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { manifestSchema, unpackSegment, type Manifest } from '../../shared/protocol/segment.ts';
import { seedMany } from '../db/seed/seed-many.ts';
import { createCollectionHarness, type CollectionHarness } from '../testing/collection-harness.ts';
import { openSyncApp, type SyncApp } from '../testing/sync-app.ts';
import { usualDatabase, openTestDb, type TestDatabase } from '../testing/test-db.ts';

describe.each(usualDatabase)('the routes of the collections on %s', (kind) => {
  let db: TestDatabase;
  let harness: CollectionHarness;
  let app: SyncApp;
  let tradie: string;
  let homeowner: string;
  beforeAll(async () => {
    db = await openTestDb(kind);
    const { tradies, jobs } = await seedMany(db, { jobs: 1_200, tradies: 600 });
    tradie = must(tradies[0], 'a tradie').userId;
    homeowner = must(jobs[0]?.userId, 'an owner');
    harness = createCollectionHarness(db);
    app = await openSyncApp({ database: db, collections: harness.collections, clock: harness.now });
  });
  afterAll(async () => {
    await app.close();
    await db.close();
  });

  /** The bytes as they travelled; `fetch` would undo the encoding. */
  const raw = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number | undefined; headers: Record<string, unknown>; body: Buffer }>((resolve, reject) => {
      request(app.origin + path, { headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) }),
        );
      })
        .on('error', reject)
        .end();
    });
  const manifestOf = async (collection: string, userId?: string): Promise<Manifest> => {
    const response = await (userId === undefined
      ? app.call(`/api/sync/shelves/${collection}`)
      : app.callAs(userId, `/api/sync/shelves/${collection}`));
    expect(response.status).toBe(200);
    return manifestSchema.parse(await response.json());
  };
  const problemOf = async (response: Response) =>
    response.ok ? undefined : { status: response.status, code: problemSchema.parse(await response.json()).code };

  it('says that a collection is not ready before its first snapshot', async () => {
    const response = await app.call('/api/sync/shelves/directory');
    expect(response.headers.get('retry-after')).not.toBeNull();
    expect(await problemOf(response)).toEqual({ status: 503, code: 'unavailable' });
    await harness.buildSnapshot();
  });

  it('serves signed-out visitors the directory and the lists', async () => {
    for (const [collection, count] of [
      ['directory', 600],
      ['reference', 440],
    ] as const) {
      const { segments } = await manifestOf(collection);
      let rows = 0;
      for (const { hash } of segments) {
        const response = await app.call(`/api/sync/shelves/${collection}/${hash}`);
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('content-type')).toContain('application/json');
        const text = await response.text();
        expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
        rows += unpackSegment(collection, text).length;
      }
      expect(rows).toBe(count);
    }
  });

  it('sends a segment’s bytes as brotli, gzip or plain, the same for every client', async () => {
    const { hash } = must((await manifestOf('directory')).segments[0], 'a segment');
    const path = `/api/sync/shelves/directory/${hash}`;
    const [brotli, zipped, plain, again] = [
      await raw(path, { 'accept-encoding': 'gzip, deflate, br' }),
      await raw(path, { 'accept-encoding': 'gzip' }),
      await raw(path, { 'accept-encoding': 'identity' }),
      await raw(path, { 'accept-encoding': 'br', authorization: `Bearer ${tradie}` }),
    ];
    expect([brotli, zipped, plain].map(({ headers }) => headers['content-encoding'])).toEqual([
      'br',
      'gzip',
      undefined,
    ]);
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true);
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    expect(again.body.equals(brotli.body)).toBe(true);
    expect(String(brotli.headers['vary'])).toContain('Accept-Encoding');
    expect(new Set([brotli, zipped, plain].map(({ headers }) => headers['etag'])).size).toBe(3);
    for (const { headers } of [brotli, zipped, plain]) expect(String(headers['etag'])).toContain(hash);
  });

  it('serves precomputed bytes exactly as the whole handler answers, and logs both alike', async () => {
    for (const collection of ['directory', 'feed'] as const) {
      const { hash } = must((await manifestOf(collection, tradie)).segments[0], 'a segment');
      const path = `/api/sync/shelves/${collection}/${hash}`;
      const headers = { 'accept-encoding': 'gzip, deflate, br', authorization: `Bearer ${tradie}` };
      const ask = async (address: string, requestId: string) => {
        const { status, body, headers: said } = await raw(address, { ...headers, 'x-request-id': requestId });
        expect(said['x-request-id']).toBe(requestId);
        let line: unknown;
        await expect
          .poll(
            () =>
              (line = app
                .logged()
                .split('\n')
                .find((one) => one.includes(requestId))),
          )
          .toBeDefined();
        const { requestId: _id, ms: _ms, at: _at, ...logged } = JSON.parse(String(line)) as Record<string, unknown>;
        return { status, body, headers: { ...said, 'x-request-id': '', date: '' }, logged };
      };
      // A query, which no client sends, is enough for the whole handler to run.
      expect(await ask(path, `ready-${collection}-1`)).toEqual(await ask(`${path}?x`, `house-${collection}-1`));
    }
  });

  it('[P9] answers a request for several with the texts of the first, as many as are ready, whatever the client takes', async () => {
    const names = (await manifestOf('feed', tradie)).segments.map(({ hash }) => hash);
    expect(names.length).toBeGreaterThan(1);
    const as = { authorization: `Bearer ${tradie}` };
    const path = `/api/sync/shelves/feed/${names.join()}`;
    const whole = (
      await Promise.all(names.map(async (hash) => (await app.callAs(tradie, `/api/sync/shelves/feed/${hash}`)).text()))
    ).join('');
    for (const encoding of ['gzip, deflate, br, zstd', 'gzip, deflate, br', 'gzip', 'identity']) {
      const { status, headers, body } = await raw(path, { ...as, 'accept-encoding': encoding });
      const decoded = { br: brotliDecompressSync, gzip: gunzipSync, zstd: framesToText }[
        String(headers['content-encoding'])
      ];
      const text = (decoded?.(body) ?? body).toString();
      expect([status, text.length > 0 && whole.startsWith(text)], encoding).toEqual([200, true]);
      expect(headers['cache-control'], encoding).toBe(
        text === whole ? 'private, max-age=31536000, immutable' : 'no-store',
      );
    }
    for (const wrong of [`${path},`, `${path},x`, `/api/sync/shelves/feed/${'0'.repeat(64)},${names[0]}`])
      expect((await app.callAs(tradie, wrong)).status, wrong).toBe(404);
    await vi.waitUntil(
      async () => {
        const { headers, body } = await raw(path, { ...as, 'accept-encoding': 'br, zstd' });
        return headers['content-encoding'] === 'zstd' && framesToText(body).toString() === whole;
      },
      { timeout: 30_000 },
    );
  });

  it('answers 304 where the client has it already, and the whole once it changed', async () => {
    const path = '/api/sync/shelves/directory';
    const etag = must((await app.call(path)).headers.get('etag'), 'an ETag');
    expect(etag).toMatch(/^"/);
    const { hash } = must((await manifestOf('directory')).segments[0], 'a segment');
    const segment = `${path}/${hash}`;
    const segmentTag = must((await app.call(segment)).headers.get('etag'), 'an ETag');
    for (const [address, tag] of [
      [path, etag],
      [segment, segmentTag],
    ] as const) {
      const response = await app.call(address, { headers: { 'if-none-match': tag } });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
    }
    await sql`update tradies set business_name = 'Renamed' where id in (select id from tradies limit 1)`.execute(
      db.sql,
    );
    await harness.buildSnapshot();
    expect((await app.call(path, { headers: { 'if-none-match': etag } })).status).toBe(200);
  });

  it('I8: opens the feed to running subscriptions only, on both of its routes', async () => {
    const { segments } = await manifestOf('feed', tradie);
    const paths = ['/api/sync/shelves/feed', `/api/sync/shelves/feed/${must(segments[0], 'a segment').hash}`];
    for (const path of paths) {
      const response = await app.callAs(tradie, path);
      expect(response.status).toBe(200);
      expect(response.headers.get('cache-control')).toMatch(/^private/);
      expect(response.headers.get('vary')).toContain('Authorization');
      await response.arrayBuffer();
      expect(await problemOf(await app.call(path))).toEqual({ status: 401, code: 'sign-in-needed' });
      expect(await problemOf(await app.callAs('test-anon-key', path))).toEqual({ status: 401, code: 'sign-in-needed' });
      expect(await problemOf(await app.callAs('forged', path))).toEqual({ status: 401, code: 'sign-in-needed' });
      expect(await problemOf(await app.callAs(homeowner, path))).toEqual({
        status: 403,
        code: 'subscription-required',
      });
      expect(await problemOf(await app.callAs('0194b2a0-0000-7000-8000-00000000ffff', path))).toEqual({
        status: 403,
        code: 'subscription-required',
      });
    }
    await sql`update users set subscription_valid_until = ${new Date(harness.now().getTime() - 1)} where id = ${tradie}`.execute(
      db.sql,
    );
    // The first at once; the other as soon as this instance is notified of the commit.
    expect(await problemOf(await app.callAs(tradie, paths[0]!))).toEqual({
      status: 403,
      code: 'subscription-required',
    });
    await expect
      .poll(async () => problemOf(await app.callAs(tradie, paths[1]!)))
      .toEqual({ status: 403, code: 'subscription-required' });
    await sql`update users set subscription_valid_until = null where id = ${tradie}`.execute(db.sql);
    await expect.poll(async () => (await app.callAs(tradie, paths[1]!)).status).toBe(200);
  });

  it('serves no segment of one collection under another, and 404 for an unknown one', async () => {
    const { hash } = must((await manifestOf('feed', tradie)).segments[0], 'a segment');
    for (const path of [
      `directory/${hash}`,
      'directory/0',
      `directory/${'0'.repeat(64)}`,
      'nothing',
      `nothing/${hash}`,
      'users',
      '__proto__',
    ]) {
      expect(await problemOf(await app.callAs(tradie, `/api/sync/shelves/${path}`)), path).toEqual({
        status: 404,
        code: 'not-found',
      });
    }
  });
});

/** Node undoes the first frame alone. */
function framesToText(body: Buffer): Buffer {
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
  const next = body.indexOf(magic, magic.length);
  if (next === -1) return zstdDecompressSync(body);
  return Buffer.concat([zstdDecompressSync(body.subarray(0, next)), framesToText(body.subarray(next))]);
}
