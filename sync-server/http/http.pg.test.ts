import { brotliCompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Router from '@koa/router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { readConfig } from '../lib/config.ts';
import type { Deps } from '../ports/deps.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { badRequest, tooMany } from './http-problem.ts';
import { readJson } from './read-body.ts';

const script = `console.log(${JSON.stringify('kia ora '.repeat(400))})`;
let database: TestDatabase;
let app: TestApp;
let dist: string;

/** Routes that misbehave in every way, mounted where the embedded counterparts would be. */
function trouble(): Deps['embedded'] {
  const router = new Router();
  router.get('/api/test/boom', () => {
    throw new Error('at /srv/secret.ts with mere@example.nz');
  });
  router.get('/api/test/away', () => {
    throw Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
  });
  router.get('/api/test/refusal', () => {
    throw new Rejection('job-closed', 'This job closed before your interest was sent.', { status: 'closed' });
  });
  router.get('/api/test/fields', () => {
    throw badRequest(['Title is required', 'Town is required'], 'invalid', { title: 'required' });
  });
  router.get('/api/test/slow-down', () => {
    throw tooMany(7);
  });
  router.get('/api/test/large', (ctx) => {
    ctx.body = { text: 'kia ora '.repeat(1_000) };
  });
  router.get('/api/test/half', (ctx) => {
    ctx.respond = false;
    ctx.res.writeHead(200, { 'Content-Length': '100' });
    ctx.res.write('half');
    throw new Error('after the answer had begun');
  });
  router.post('/api/test/echo', async (ctx) => {
    ctx.body = { got: await readJson(ctx, { limit: 1_000 }) };
  });
  return [router];
}

beforeAll(async () => {
  database = await openTestDb('pglite');
  dist = await mkdtemp(join(tmpdir(), 'dwang-dist-'));
  await mkdir(join(dist, 'assets'));
  await writeFile(join(dist, 'index.html'), '<!doctype html><title>Dwang</title>');
  await writeFile(join(dist, 'sw.js'), 'self');
  await writeFile(join(dist, 'manifest.webmanifest'), '{}');
  await writeFile(join(dist, 'assets/app-1a2b.js'), script);
  await writeFile(join(dist, 'assets/app-1a2b.js.br'), brotliCompressSync(script));
  await writeFile(join(dist, 'assets/app-1a2b.js.gz'), gzipSync(script));
  app = await openTestApp({ database, embedded: trouble() }, { dist });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await rm(dist, { recursive: true });
});

/** fetch undoes encodings and hides headers; this shows the wire. */
function raw(path: string, headers: Record<string, string> = {}, method = 'GET', body?: Uint8Array) {
  return new Promise<{ status: number; headers: Record<string, string | string[] | undefined>; bytes: Buffer }>(
    (resolve, reject) => {
      const sent = request(app.origin + path, { headers, method, agent: false }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
      });
      sent.on('error', reject);
      sent.end(body);
    },
  );
}

describe('problems', () => {
  it.each([
    ['/api/test/boom', 500, 'internal'],
    ['/api/test/away', 503, 'unavailable'],
    ['/api/test/refusal', 409, 'job-closed'],
    ['/api/test/fields', 400, 'invalid'],
    ['/api/test/slow-down', 429, 'too-many'],
    ['/api/nothing-here', 404, 'not-found'],
    ['/api/test/echo', 405, 'method-not-allowed'],
  ])('%s answers %i %s in the one shape', async (path, status, code) => {
    const answer = await app.call(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(problemSchema.parse(await answer.json()).code).toBe(code);
  });

  it('reveal nothing of what went wrong but the request’s id', async () => {
    const answer = await app.call('/api/test/boom', { headers: { 'X-Request-Id': 'from-the-phone-1' } });
    expect(await answer.json()).toEqual({
      error: 'Something went wrong on our side.',
      code: 'internal',
      details: { requestId: 'from-the-phone-1' },
    });
    expect(answer.headers.get('x-request-id')).toBe('from-the-phone-1');
    expect(app.logged()).toContain('/srv/secret.ts');
    expect(app.logged()).not.toContain('mere@example.nz');
  });

  it('say when to come back', async () => {
    expect((await app.call('/api/test/slow-down')).headers.get('retry-after')).toBe('7');
    expect((await app.call('/api/test/away')).headers.get('retry-after')).toBe('2');
  });

  it('cut an answer that had begun, rather than complete it wrongly', async () => {
    await expect(app.call('/api/test/half').then((answer) => answer.text())).rejects.toThrow();
  });

  it('carry fields', async () => {
    expect(await (await app.call('/api/test/fields')).json()).toEqual({
      error: ['Title is required', 'Town is required'],
      code: 'invalid',
      details: { title: 'required' },
    });
    expect(await (await app.call('/api/test/refusal')).json()).toMatchObject({
      details: { fields: { status: 'closed' } },
    });
  });
});

describe('JSON bodies', () => {
  const json = { 'Content-Type': 'application/json' };
  const gzipped = { ...json, 'Content-Encoding': 'gzip' };
  const post = async (headers: Record<string, string>, body: string | Uint8Array) => {
    const { status, bytes } = await raw('/api/test/echo', headers, 'POST', Buffer.from(body));
    return { status, ...(JSON.parse(bytes.toString()) as { code?: string; got?: unknown }) };
  };
  const padded = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));

  it('are read plain and gzipped', async () => {
    expect(await post(json, '{"a":"ā"}')).toEqual({ status: 200, got: { a: 'ā' } });
    expect(await post(gzipped, gzipSync('{"a":"ā"}'))).toEqual({ status: 200, got: { a: 'ā' } });
  });

  it('are measured after decompression', async () => {
    expect((await post(json, padded(1_000))).status).toBe(200);
    expect(await post(json, padded(1_001))).toMatchObject({ status: 413, code: 'too-large' });
    expect((await post(gzipped, gzipSync(padded(1_000)))).status).toBe(200);
    expect(await post(gzipped, gzipSync(padded(1_001)))).toMatchObject({ status: 413, code: 'too-large' });
    expect(await post({ ...json, 'Transfer-Encoding': 'chunked' }, padded(5_000))).toMatchObject({
      status: 413,
      code: 'too-large',
    });
  });

  it('must be what they say', async () => {
    expect(await post(json, '{"a":')).toMatchObject({ status: 400, code: 'malformed' });
    expect(await post(json, '')).toMatchObject({ status: 400, code: 'malformed' });
    expect(await post(json, new Uint8Array([0x22, 0xff, 0x22]))).toMatchObject({ status: 400, code: 'malformed' });
    expect(await post(gzipped, 'not gzip')).toMatchObject({ status: 400, code: 'malformed' });
    expect(await post(gzipped, gzipSync('{"a":1}').subarray(0, 12))).toMatchObject({ status: 400, code: 'malformed' });
    expect(await post({ 'Content-Type': 'text/plain' }, '{}')).toMatchObject({ status: 415, code: 'unsupported-type' });
    expect(await post({ ...json, 'Content-Encoding': 'compress' }, '{}')).toMatchObject({
      status: 415,
      code: 'unsupported-type',
    });
  });
});

describe('headers', () => {
  it('keep other people’s code out', async () => {
    for (const path of ['/', '/api/config', '/api/nothing-here']) {
      const { headers } = await app.call(path);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toContain(
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self';",
      );
      expect(policy).not.toContain('unsafe');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toContain('geolocation=()');
    }
  });

  it('let the app reach hosted auth and storage, and only over TLS where it is served so', async () => {
    const config = readConfig({
      SUPABASE_URL: 'https://p.supabase.co',
      SUPABASE_ANON_KEY: 'a',
      PUBLIC_URL: 'https://dwang.nz',
    });
    const hosted = await openTestApp({ database, config });
    const { headers } = await hosted.call('/api/config');
    await hosted.close();
    expect(headers.get('content-security-policy')).toContain(
      "connect-src 'self' https://p.supabase.co wss://p.supabase.co;",
    );
    expect(headers.get('content-security-policy')).toContain("img-src 'self' blob: data: https://p.supabase.co;");
    expect(headers.get('strict-transport-security')).toContain('max-age=31536000');
    expect((await app.call('/')).headers.get('strict-transport-security')).toBeNull();
  });

  it('compress what is worth it, in what the client takes', async () => {
    expect((await raw('/api/test/large', { 'Accept-Encoding': 'gzip, br' })).headers['content-encoding']).toBe('br');
    const gzip = await raw('/api/test/large', { 'Accept-Encoding': 'gzip' });
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(gzip.bytes).toString())).toEqual({ text: 'kia ora '.repeat(1_000) });
    expect((await raw('/api/test/large')).headers['content-encoding']).toBeUndefined();
    expect((await raw('/api/config', { 'Accept-Encoding': 'br' })).headers['content-encoding']).toBeUndefined();
  });

  it('leave one log line a request, without its query', async () => {
    await app.call('/api/config?token=very-secret-thing', { headers: { 'X-Request-Id': 'counted-0001' } });
    await expect.poll(() => app.logged()).toContain('counted-0001');
    const lines = app
      .logged()
      .split('\n')
      .filter((line) => line.includes('counted-0001'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      method: 'GET',
      path: '/api/config',
      status: 200,
      requestId: 'counted-0001',
      msg: 'request',
    });
    expect(lines[0]).not.toContain('very-secret-thing');
  });
});

describe('GET /api/config', () => {
  it('points at this origin, or the public one, or the hosted project', async () => {
    const config = async (env: Record<string, string>) => {
      const other = await openTestApp({ database, config: readConfig(env), anonKey: 'the-anon-key' });
      const answer: unknown = await (await other.call('/api/config')).json();
      await other.close();
      return { answer, origin: other.origin };
    };
    const own = await config({});
    expect(own.answer).toEqual({ supabaseUrl: own.origin, supabaseAnonKey: 'the-anon-key', isEmbedded: true });
    const named = await config({ PUBLIC_URL: 'https://dwang.nz' });
    expect(named.answer).toEqual({
      supabaseUrl: 'https://dwang.nz',
      supabaseAnonKey: 'the-anon-key',
      isEmbedded: true,
    });
    const hosted = await config({ SUPABASE_URL: 'https://p.supabase.co', SUPABASE_ANON_KEY: 'x' });
    expect(hosted.answer).toEqual({ supabaseUrl: 'https://p.supabase.co', supabaseAnonKey: 'the-anon-key' });
  });
});

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

  it('shows the app’s own "not found" for other pages, as 404', async () => {
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
      const other = await openTestApp({ database, config: readConfig(env) }, { dist });
      for (const path of ['/dev/ui', '/dev/ui/', '/dev/UI'])
        expect((await other.call(path, { headers: { Accept: 'text/html' } })).status).toBe(404);
      await other.close();
    }
  });

  it('must have been built', async () => {
    await expect(openTestApp({ database }, { dist: join(dist, 'none') })).rejects.toThrow('npm run build');
  });
});
