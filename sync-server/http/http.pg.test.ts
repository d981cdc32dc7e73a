import { gunzipSync, gzipSync } from 'node:zlib';
import Router from '@koa/router';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { readConfig } from '../lib/config.ts';
import type { Deps } from '../ports/deps.ts';
import { openBuiltDist } from '../testing/built-dist.ts';
import { rawRequest } from '../testing/raw-request.ts';
import { openTestApp, type TestApp } from '../testing/test-app.ts';
import { openTestDb, type TestDatabase } from '../testing/test-db.ts';
import { badRequest, tooMany } from './http-problem.ts';
import { readJson } from './read-body.ts';

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

let database: TestDatabase;
let built: Awaited<ReturnType<typeof openBuiltDist>>;
let app: TestApp;
beforeAll(async () => {
  database = await openTestDb('pglite');
  built = await openBuiltDist();
  app = await openTestApp({ database, embedded: trouble() }, { dist: built.dist });
});
afterAll(async () => {
  await app.close();
  await database.close();
  await built.close();
});

const raw = (path: string, ...how: [headers?: Record<string, string>, method?: string, body?: Uint8Array]) =>
  rawRequest(app.origin + path, ...how);

describe('problems', () => {
  it.each([
    ['/api/test/boom', 500, 'internal'],
    ['/api/test/away', 503, 'unavailable'],
    ['/api/test/refusal', 409, 'job-closed'],
    ['/api/test/fields', 400, 'invalid'],
    ['/api/test/slow-down', 429, 'too-many'],
    ['/api/nothing-here', 404, 'not-found'],
    ['/api/test/echo', 405, 'method-not-allowed'],
  ])('%s answers %i %s in the one shape [§settled]', async (path, status, code) => {
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
      // A tradie may ask their own phone where it is; no other site in a frame may.
      expect(headers.get('permissions-policy')).toContain('geolocation=(self)');
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
  it('points at this origin, or the public one, or the hosted project [§1, §7]', async () => {
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
