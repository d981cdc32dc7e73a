import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import Koa from 'koa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { createLog, type Log } from '../lib/log.ts';
import { bound, boundedServer } from './bounds.ts';
import { limitConnections } from './limit-connections.ts';
import { listen, type Listening } from './listen.ts';
import { problems } from './problems.ts';
import { readJson } from './read-body.ts';

let server: Listening;
beforeAll(async () => {
  const app = new Koa();
  app.use(problems(createLog('silent')));
  app.use(async (ctx) => {
    ctx.body = { got: ctx.method === 'POST' ? await readJson(ctx, { limit: 100_000 }) : ctx.path.length };
  });
  const handle = app.callback();
  server = await listen((req, res) => void handle(req, res), 0, '127.0.0.1');
});
afterAll(() => server.close(0));

/** What comes back for these bytes, until the server hangs up. */
const say = (...pieces: (string | Buffer)[]) => sayTo(server.port, ...pieces);

function sayTo(port: number, ...pieces: (string | Buffer)[]): Promise<{ status: number; code: string | undefined }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk) => (heard += chunk.toString()));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      const [head = '', body = ''] = heard.split('\r\n\r\n');
      const status = Number(head.slice(9, 12));
      try {
        resolve({ status, code: status === 200 ? undefined : problemSchema.parse(JSON.parse(body)).code });
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    for (const piece of pieces) socket.write(piece);
  });
}

const get = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
const post = (body: Buffer, headers = '') => [
  `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers}\r\n`,
  body,
];

it('answers an address or headers that are too long with 431 in the one shape', async () => {
  expect(await say(get(`/${'a'.repeat(8_000)}`))).toEqual({ status: 200, code: undefined });
  expect(await say(get(`/${'a'.repeat(20_000)}`))).toEqual({ status: 431, code: 'headers-too-large' });
  expect(await say(get('/', `X-Much: ${'a'.repeat(20_000)}\r\n`))).toEqual({ status: 431, code: 'headers-too-large' });
});

it('answers what is no HTTP with 400 in the one shape', async () => {
  expect(await say('kia ora\r\n\r\n')).toEqual({ status: 400, code: 'malformed' });
  // Two lengths for one body is how requests are smuggled past a proxy.
  expect(
    await say('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  ).toEqual({ status: 400, code: 'malformed' });
});

it('holds a body to its size before and after it is unpacked, and JSON to its depth', async () => {
  const json = (value: unknown) => Buffer.from(JSON.stringify(value));
  expect(await say(...post(json('x'.repeat(50_000))))).toEqual({ status: 200, code: undefined });
  expect(await say(...post(json('x'.repeat(200_000))))).toEqual({ status: 413, code: 'too-large' });
  const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));
  expect(bomb.length).toBeLessThan(100_000);
  expect(await say(...post(bomb, 'Content-Encoding: gzip\r\n'))).toEqual({ status: 413, code: 'too-large' });
  expect(await say(...post(Buffer.from('['.repeat(32) + ']'.repeat(32))))).toEqual({ status: 200, code: undefined });
  expect(await say(...post(Buffer.from('['.repeat(40_000) + ']'.repeat(40_000))))).toEqual({
    status: 400,
    code: 'malformed',
  });
});

it('says that it keeps a connection longer than a balancer does, and than a device waits', async () => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/`);
  expect(answer.headers.get('keep-alive')).toBe('timeout=65');
});

it('limits the open connections of one address, whatever it sends on them, and accepts new ones when some have gone', async () => {
  const warned: unknown[] = [];
  const log = { warn: (...said: unknown[]) => void warned.push(said) } as unknown as Log;
  const harness = await listen(
    (_req, res) => res.end('kia ora'),
    0,
    '127.0.0.1',
    limitConnections([], log, { max: Infinity, perAddress: 3 }),
  );
  const held = [];
  for (let at = 0; at < 3; at += 1) {
    const socket = connect(harness.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    held.push(socket);
  }
  const isAnswered = () =>
    fetch(`http://127.0.0.1:${harness.port}/`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isAnswered).toBe(false);
  held.pop()?.destroy();
  await expect.poll(isAnswered).toBe(true);
  expect(warned).toHaveLength(1);
  for (const socket of held) socket.destroy();
  await harness.close(0);

  const trusting = await listen(
    (_req, res) => res.end('kia ora'),
    0,
    '127.0.0.1',
    limitConnections(['127.0.0.1'], log, { max: Infinity, perAddress: 0 }),
  );
  expect((await fetch(`http://127.0.0.1:${trusting.port}/`)).ok).toBe(true);
  await trusting.close(0);
});

it('drops an answer that the client does not read, and no connection on which bytes move', async () => {
  const still = createServer(boundedServer, (_req, res) => res.end(Buffer.alloc(64 * 1024 * 1024)));
  bound(still);
  expect(still.timeout).toBe(90_000);
  still.timeout = 100;
  await new Promise<void>((resolve) => still.listen(0, '127.0.0.1', resolve));
  const { port } = still.address() as AddressInfo;
  const reader = connect(port, '127.0.0.1').pause();
  reader.on('error', () => undefined);
  reader.write(get('/'));
  await expect.poll(() => new Promise((resolve) => still.getConnections((_, count) => resolve(count)))).toBe(1);
  await expect.poll(() => new Promise((resolve) => still.getConnections((_, count) => resolve(count)))).toBe(0);
  reader.destroy();
  still.close();
});

it('waits no longer than announced for a request', async () => {
  const hasty = createServer(
    { ...boundedServer, headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 },
    (_req, res) => res.end(),
  );
  bound(hasty);
  await new Promise<void>((resolve) => hasty.listen(0, '127.0.0.1', resolve));
  const { port } = hasty.address() as AddressInfo;
  for (const part of ['GET / HTTP/1.1\r\nHost: x\r\nX-Half', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n'])
    expect(await sayTo(port, part)).toEqual({ status: 408, code: 'too-slow' });
  hasty.close();
});
