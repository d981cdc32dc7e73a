import { afterEach, describe, expect, test, vi } from 'vitest';
import type { ExchangeRequest } from '../../shared/protocol/exchange.ts';
import { createHttpTransport } from './http-transport.ts';

const request: ExchangeRequest = { protocol: 1, schema: 1, cookie: null, shelves: {}, mutations: [], awaiting: [] };
const answer = {
  kind: 'delta',
  puts: {},
  removes: {},
  shelves: {},
  outcomes: [],
  cookie: 'c1',
  more: false,
  serverTime: '2026-05-01T00:00:00.000Z',
};
const problem = (code: string) => JSON.stringify({ error: 'No.', code });
const page = '<!doctype html><title>Welcome to Café WiFi</title>';

async function ask(respond: () => Response | Promise<Response>, asked: Partial<ExchangeRequest> = {}) {
  const calls: RequestInit[] = [];
  const transport = createHttpTransport({
    url: '/api/sync',
    token: async () => 'token-1',
    fetch: async (_url, init) => {
      calls.push(init ?? {});
      return respond();
    },
  });
  const result = await transport({ ...request, ...asked }, new AbortController().signal);
  return { result, call: calls[0] };
}

describe('what does not parse as our server’s answer is a network error, and nothing is written', () => {
  const whole = JSON.stringify(answer);
  test.each([
    ['a captive portal’s page with 200', page, 200],
    ['half a body', whole.slice(0, whole.length - 20), 200],
    ['an empty body', '', 200],
    ['JSON of another server', '{"ok":true}', 200],
    ['an answer without a cookie', JSON.stringify({ ...answer, cookie: undefined }), 200],
    ['a row that is not one', JSON.stringify({ ...answer, puts: { jobs: [{ id: 'x' }] } }), 200],
    ['a proxy’s own 401', page, 401],
    ['a proxy’s own 403', page, 403],
    ['a proxy’s own 426', page, 426],
    ['a proxy’s own 404', page, 404],
    ['a proxy’s own 499', page, 499],
  ])('%s', async (_what, body, status) => {
    const { result } = await ask(() => new Response(body, { status }));
    expect(result).toMatchObject({ ok: false, failure: { kind: 'network', heard: true } });
  });

  test('a connection that breaks', async () => {
    const { result } = await ask(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(result).toEqual({ ok: false, failure: { kind: 'network', heard: false, why: 'TypeError' } });
  });
});

test.each([
  [401, 'unauthorized', 'unauthorized'],
  [403, 'profile-missing', 'profile-missing'],
  [413, 'too-large', 'too-large'],
  [401, 'other-person', 'other-person'],
  [403, 'forbidden', 'server'],
  [404, 'profile-missing', 'server'],
  [426, 'too-old', 'too-old'],
  [400, 'invalid', 'server'],
  [500, 'internal', 'server'],
])('%i %s in our own error body has its own kind', async (status, code, kind) => {
  const { result } = await ask(() => new Response(problem(code), { status }));
  expect(result).toMatchObject({ ok: false, failure: { kind } });
});

test.each([500, 502, 504])('%i without our error body is a server error', async (status) => {
  const { result } = await ask(() => new Response(page, { status }));
  expect(result).toEqual({ ok: false, failure: { kind: 'server', status, why: 'no body of ours' } });
});

test('413 is too large, also from a proxy', async () => {
  const { result } = await ask(() => new Response(page, { status: 413 }));
  expect(result).toEqual({ ok: false, failure: { kind: 'too-large' } });
});

test.each([
  ['that is aborted', () => Promise.reject(new DOMException('Aborted', 'AbortError')), 'AbortError'],
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- what a foreign service worker may do
  ['that fails without an Error', () => Promise.reject('no'), 'unknown'],
])('a request %s is reported by the name of its error, not by its message', async (_what, respond, why) => {
  const { result } = await ask(respond);
  expect(result).toEqual({ ok: false, failure: { kind: 'network', heard: false, why } });
});

test.each([
  [429, '7', 7_000],
  [503, '120', 120_000],
  [503, undefined, 5_000],
  [503, '0', 0],
  [503, '-1', 5_000],
  [503, 'Infinity', 5_000],
  [503, 'Wed, 21 Oct 2026 07:28:00 GMT', 5_000],
])('%i with Retry-After %s gives the wait', async (status, after, retryAfterMs) => {
  const { result } = await ask(
    () => new Response('', { status, headers: after === undefined ? {} : { 'Retry-After': after } }),
  );
  expect(result).toEqual({ ok: false, failure: { kind: 'busy', retryAfterMs } });
});

test('carries the bearer, is never cached, and sends a small request uncompressed', async () => {
  const { result, call } = await ask(() => new Response(JSON.stringify(answer)));
  expect(result).toEqual({ ok: true, answer });
  expect(call).toMatchObject({
    method: 'POST',
    cache: 'no-store',
    body: JSON.stringify(request),
    headers: { Authorization: 'Bearer token-1' },
  });
  // Without a trace it sends no ids.
  expect(['x-request-id', 'x-device-id'].map((name) => new Headers(call?.headers).has(name))).toEqual([false, false]);
});

test('a big request is sent compressed, with its Content-Encoding', async () => {
  const mutations = Array.from({ length: 60 }, (_none, at) => ({
    uid: `019de0d5-c800-756b-b724-b2b9265dc${String(at).padStart(3, '0')}`,
    name: 'job.close',
    args: {},
    at: answer.serverTime,
  }));
  const { call } = await ask(() => new Response(JSON.stringify(answer)), { mutations });
  expect(call?.headers).toMatchObject({ 'Content-Encoding': 'gzip' });
  const body = call?.body as ArrayBuffer;
  const text = await new Response(new Blob([body]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  expect(JSON.parse(text)).toEqual({ ...request, mutations });
  expect(body.byteLength).toBeLessThan(text.length / 2);
});

describe('a request is compressed', () => {
  afterEach(() => vi.unstubAllGlobals());
  const ofLength = (length: number) => ({
    ...request,
    cookie: 'c'.repeat(length - JSON.stringify({ ...request, cookie: '' }).length),
  });
  const encodingOf = async (asked: ExchangeRequest) => {
    const { call } = await ask(() => new Response(JSON.stringify(answer)), asked);
    return new Headers(call?.headers).get('Content-Encoding');
  };

  test('from 2 KiB on', async () => {
    expect(await encodingOf(ofLength(2_047))).toBeNull();
    expect(await encodingOf(ofLength(2_048))).toBe('gzip');
  });

  test('only in a browser with CompressionStream', async () => {
    vi.stubGlobal('CompressionStream', undefined);
    const asked = ofLength(4_000);
    const { call } = await ask(() => new Response(JSON.stringify(answer)), asked);
    expect([call?.body, new Headers(call?.headers).get('Content-Encoding')]).toEqual([JSON.stringify(asked), null]);
  });
});

test('signed out, it makes no request', async () => {
  const transport = createHttpTransport({
    url: '/api/sync',
    token: async () => undefined,
    fetch: () => Promise.reject(new Error('Must not be called.')),
  });
  expect(await transport(request, new AbortController().signal)).toEqual({
    ok: false,
    failure: { kind: 'unauthorized' },
  });
});

test('a request carries its own id and the device’s, and returns its id also when it failed', async () => {
  const sentHeaders: Headers[] = [];
  let answers = true;
  const transport = createHttpTransport({
    url: '/api/sync',
    token: async () => 'token-1',
    trace: { requestId: () => 'request-1', deviceId: async () => 'device-1' },
    fetch: async (_url, init) => {
      sentHeaders.push(new Headers(init?.headers));
      return answers ? Response.json(answer) : Promise.reject(new TypeError('Failed to fetch'));
    },
  });
  expect(await transport(request, new AbortController().signal)).toMatchObject({ ok: true, requestId: 'request-1' });
  answers = false;
  expect(await transport(request, new AbortController().signal)).toMatchObject({ ok: false, requestId: 'request-1' });
  expect(sentHeaders.map((headers) => [headers.get('x-request-id'), headers.get('x-device-id')])).toEqual([
    ['request-1', 'device-1'],
    ['request-1', 'device-1'],
  ]);
});

test('a device that cannot read its own id sends the request without it', async () => {
  let headers = new Headers();
  const transport = createHttpTransport({
    url: '/api/sync',
    token: async () => 'token-1',
    trace: { requestId: () => 'request-1', deviceId: async () => undefined },
    fetch: async (_url, init) => ((headers = new Headers(init?.headers)), Response.json(answer)),
  });
  expect(await transport(request, new AbortController().signal)).toMatchObject({ ok: true });
  expect([headers.get('x-request-id'), headers.has('x-device-id')]).toEqual(['request-1', false]);
});
