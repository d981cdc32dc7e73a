import { brotliCompressSync, gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { readConfig } from '../lib/config.ts';
import { openBuiltDist, script } from '../testing/built-dist.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';

let database: TestDatabase;
let built: Awaited<ReturnType<typeof openBuiltDist>>;
let app: TestApp;
beforeAll(async () => {
  database = await openTestDb('pglite');
  built = await openBuiltDist();
  app = await openTestApp({ database }, { dist: built.dist });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await built.close();
});

const raw = (path: string, ...how: [headers?: Record<string, string>, method?: string, body?: Uint8Array]) =>
  rawRequest(app.origin + path, ...how);

describe('the built app', () => {
  it('comes precompressed and stays for ever where its name carries a hash', async () => {
    const br = await raw('/assets/app-1a2b.js', { 'Accept-Encoding': 'gzip, br' });
    expect(br.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript') as string,
    });
    expect(br.bytes).toEqual(brotliCompressSync(script));
    const gzip = await raw('/assets/app-1a2b.js', { 'Accept-Encoding': 'gzip' });
    expect(gunzipSync(gzip.bytes).toString()).toBe(script);
    const plain = await raw('/assets/app-1a2b.js');
    expect(plain.bytes.toString()).toBe(script);
    expect(plain.headers.vary).toContain('Accept-Encoding');
    expect(new Set([br.headers.etag, gzip.headers.etag, plain.headers.etag]).size).toBe(3);
    expect(
      (await raw('/assets/app-1a2b.js', { 'Accept-Encoding': 'br', 'If-None-Match': String(br.headers.etag) })).status,
    ).toBe(304);
  });

  it.each(['/', '/index.html', '/sw.js', '/manifest.webmanifest', '/job/018f3a5e'])(
    'asks anew for %s each time',
    async (path) => {
      const { status, headers } = await raw(path, { Accept: 'text/html' });
      expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
    },
  );

  it.each(['/find-jobs', '/job/018f3a5e-0000-7000-8000-000000000000', '/edit-job/1', '/become-tradie'])(
    'answers %s with the shell',
    async (path) => {
      const answer = await app.call(path);
      expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
        200,
        'text/html; charset=utf-8',
        '<!doctype html><title>Dwang</title>',
      ]);
    },
  );

  it('shows the app’s own "not found" for other pages, as 404 [§2]', async () => {
    const answer = await app.call('/nowhere', { headers: { Accept: 'text/html,*/*' } });
    expect([answer.status, await answer.text()]).toEqual([404, '<!doctype html><title>Dwang</title>']);
  });

  it.each([
    '/assets/gone-9z.js',
    '/assets/app-1a2b.js.br',
    '/nowhere',
    '/auth/v1/nothing',
    '/../app.ts',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/assets/..%2f..%2fetc/passwd',
  ])('never takes the shell for %s', async (path) => {
    const { status, bytes } = await raw(path);
    expect(status).toBe(404);
    expect(problemSchema.parse(JSON.parse(bytes.toString())).code).toBe('not-found');
  });

  it('has its page of parts for developers: not on a hosted project, and not in production, whatever else is allowed there', async () => {
    expect((await raw('/dev/ui', { Accept: 'text/html' })).status).toBe(200);
    const trial = {
      NODE_ENV: 'production',
      ALLOW_EMBEDDED: '1',
      DEMO: '1',
      ADMIN_TOKEN: 'a-token-of-thirty-two-characters',
    };
    for (const env of [{ SUPABASE_URL: 'https://p.supabase.co', SUPABASE_ANON_KEY: 'a' }, trial]) {
      const other = await openTestApp({ database, config: readConfig(env) }, { dist: built.dist });
      for (const path of ['/dev/ui', '/dev/ui/', '/dev/UI'])
        expect((await other.call(path, { headers: { Accept: 'text/html' } })).status).toBe(404);
      await other.close();
    }
  });

  it('must have been built', async () => {
    await expect(openTestApp({ database }, { dist: join(built.dist, 'none') })).rejects.toThrow('npm run build');
  });
});
