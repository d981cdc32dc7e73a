import { expect, test } from 'vitest';
import { createStorageUpload } from './upload.ts';

const photo = { path: 'u/j/1-roof.jpg', bytes: new Uint8Array([1, 2, 3]).buffer, type: 'image/jpeg' };
const upload = (
  answer: () => Response | Promise<Response>,
  seen: Request[] = [],
  token: string | null | Promise<never> = 'token',
) =>
  createStorageUpload({
    supabaseUrl: 'https://files.example.nz',
    anonKey: 'anon',
    fetch: (async (input: RequestInfo | URL, init?: RequestInit) => {
      seen.push(new Request(input, init));
      return answer();
    }) as typeof fetch,
    accessToken: async () => token,
  })(photo, new AbortController().signal);

const rejection = (statusCode: string, message: string) => () =>
  Response.json({ statusCode, error: 'x', message }, { status: 400 });

test('puts the bytes under their path, over what is there, as the person [§1, §3, §7]', async () => {
  const seen: Request[] = [];
  expect(await upload(() => Response.json({ Key: 'job-photos/u/j/1-roof.jpg', Id: 'x' }), seen)).toEqual({
    kind: 'up',
  });
  const [request] = seen;
  expect(request?.url).toBe('https://files.example.nz/storage/v1/object/job-photos/u/j/1-roof.jpg');
  expect(Object.fromEntries(request!.headers)).toMatchObject({
    authorization: 'Bearer token',
    apikey: 'anon',
    'x-upsert': 'true',
    'content-type': 'image/jpeg',
    'cache-control': 'max-age=31536000',
  });
  expect([...new Uint8Array(await request!.arrayBuffer())]).toEqual([1, 2, 3]);
});

test.each([
  [
    'too large',
    rejection('413', 'The object exceeded the maximum allowed size'),
    { kind: 'refused', message: 'The object exceeded the maximum allowed size' },
  ],
  [
    'too large for a proxy on the way',
    () => new Response('<h1>413 Request Entity Too Large</h1>', { status: 413 }),
    { kind: 'refused', message: 'The object exceeded the maximum allowed size' },
  ],
  [
    'too large for a gateway with JSON of its own',
    () => Response.json({ error: 'no' }, { status: 413 }),
    { kind: 'refused', message: 'The object exceeded the maximum allowed size' },
  ],
  [
    'turned away by a firewall on the way',
    () => new Response('<h1>403 Forbidden</h1>', { status: 403, headers: { 'content-type': 'text/html' } }),
    {
      kind: 'refused',
      message: 'Something between this phone and us turned this photo away (403). Try again on another network.',
    },
  ],
  [
    'turned away by a firewall that says so in JSON',
    () => Response.json({ error: 'blocked by policy' }, { status: 403 }),
    {
      kind: 'refused',
      message: 'Something between this phone and us turned this photo away (403). Try again on another network.',
    },
  ],
  [
    'turned away by a firewall that says null',
    () => Response.json(null, { status: 403 }),
    {
      kind: 'refused',
      message: 'Something between this phone and us turned this photo away (403). Try again on another network.',
    },
  ],
  [
    'turned away by a firewall with a status in words of its own',
    () => Response.json({ status: 'blocked', message: 'no' }, { status: 403 }),
    {
      kind: 'refused',
      message: 'Something between this phone and us turned this photo away (403). Try again on another network.',
    },
  ],
  [
    'turned away by a firewall with an empty message',
    () => Response.json({ statusCode: '403', message: null }, { status: 403 }),
    {
      kind: 'refused',
      message: 'Something between this phone and us turned this photo away (403). Try again on another network.',
    },
  ],
  [
    'answered by a gateway in JSON that has no upstream',
    () => Response.json({ error: 'no upstream' }, { status: 502 }),
    { kind: 'unreachable' },
  ],
  [
    'a full disk of the server',
    () => Response.json({ statusCode: '507', message: 'There is no room for files just now.' }, { status: 507 }),
    { kind: 'unreachable' },
  ],
  [
    'not an image',
    rejection('415', 'mime type text/html is not supported'),
    { kind: 'refused', message: 'mime type text/html is not supported' },
  ],
  ['an old token', rejection('403', 'jwt expired'), { kind: 'unauthorized' }],
  ['an unknown person', rejection('401', 'Unauthorized'), { kind: 'unauthorized' }],
  ['an error of storage itself', rejection('500', 'Internal Server Error'), { kind: 'unreachable' }],
  ['too busy', rejection('429', 'Too many requests'), { kind: 'unreachable' }],
  [
    'a captive portal',
    () => new Response('<h1>Free wifi</h1>', { headers: { 'content-type': 'text/html' } }),
    { kind: 'unreachable' },
  ],
  ['a portal that answers in JSON', () => Response.json({ login: 'please' }), { kind: 'unreachable' }],
  ['a bad gateway', () => new Response('oops', { status: 502 }), { kind: 'unreachable' }],
  ['no signal', () => Promise.reject(new TypeError('Failed to fetch')), { kind: 'unreachable' }],
])('%s', async (_what, answer, result) => {
  expect(await upload(answer)).toEqual(result);
});

test('without a session no request is made', async () => {
  const seen: Request[] = [];
  expect(await upload(() => Response.json({}), seen, null)).toEqual({ kind: 'unauthorized' });
  expect(seen).toEqual([]);
});

test('a session that cannot be read means a retry, and throws nothing', async () => {
  const unread = Promise.reject(new DOMException('disk', 'UnknownError'));
  expect(await upload(() => Response.json({}), [], unread)).toEqual({ kind: 'unreachable' });
});
