import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import Koa from 'koa';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { problemSchema } from '../../shared/protocol/problem.ts';
import { createLog } from '../lib/log.ts';
import { bufferBody, holdToPace, bulkheads, type Bulkheads } from './buffer-body.ts';
import { bound, boundedServer } from './bounds.ts';
import { createCallerOf } from '../lib/client-address.ts';
import { problems } from './problems.ts';
import { readJson } from './read-body.ts';
import { createConcurrencyLimiter, shedLoad } from './shed-load.ts';

const endless = { windowMs: 3_600_000 };
const calm: Bulkheads = { small: { ...bulkheads.small, ...endless }, photos: { ...bulkheads.photos, ...endless } };

/** The server's limits before calls that only read what they are sent. */
async function openServer(rules: Bulkheads) {
  const app = new Koa();
  const callerOf = createCallerOf(['127.0.0.1']);
  app.use(problems(createLog('silent')));
  app.use(bufferBody(callerOf, rules));
  app.use(shedLoad(createConcurrencyLimiter({ max: 3, perAddress: 3 }), callerOf));
  app.use(async (ctx) => {
    if (ctx.path.startsWith('/storage/')) {
      let size = 0;
      for await (const chunk of ctx.req as AsyncIterable<Buffer>) size += chunk.length;
      ctx.body = { size };
    } else ctx.body = { got: ctx.method === 'POST' ? await readJson(ctx) : 'nothing' };
  });
  const handle = app.callback();
  const server = createServer(boundedServer, (req, res) => void handle(req, res));
  bound(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

let server: Server;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server.close();
  server.closeAllConnections();
});

const call = { path: '/api/test', type: 'application/json' };
const photo = { path: '/storage/v1/object/job-photos/a/b.jpg', type: 'image/jpeg' };
/** The client's address is sent as a proxy would: a machine need not have more than one loopback address. */
const stranger = '198.51.100.1';
const bystander = '203.0.113.1';
const head = ({ path, type }: typeof call, length: number, from = stranger) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${from}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;

/** Sends something and holds the connection; what has come back so far, and whether the other side has hung up. */
async function hold(port: number, said: string) {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  let heard = '';
  let isOver = false;
  socket
    .on('data', (chunk: Buffer) => (heard += chunk.toString()))
    .on('error', () => undefined)
    .on('close', () => (isOver = true))
    .on('end', () => (isOver = true));
  await new Promise((resolve) => socket.once('connect', resolve));
  await new Promise((resolve) => socket.write(said, resolve));
  return { socket, heard: () => heard, isOver: () => isOver };
}

/** The status and code of one whole request. */
async function ask(port: number, { what = call, from = stranger } = {}) {
  const { socket, heard } = await hold(port, `${head(what, 2, from)}{}`);
  await vi.waitFor(() => expect(heard()).toMatch(/\r\n\r\n.+/), 20_000);
  socket.destroy();
  const status = Number(heard().slice(9, 12));
  return status === 200
    ? '200'
    : `${status} ${String(problemSchema.parse(JSON.parse(heard().split('\r\n\r\n')[1] ?? '')).code)}`;
}

/** Until this many requests without a body are admitted to wait for it: the next of that address is rejected. */
const untilFull = (port: number, what: typeof call) =>
  vi.waitFor(async () => expect(await ask(port, { what })).toBe('503 overloaded'), 20_000);

describe('requests that only begin', () => {
  it('block no other client’s calls, however many are held', async () => {
    const handler = await openServer(calm);
    server = handler.server;
    for (let at = 0; at < calm.small.perAddress + 20; at += 1) await hold(handler.port, head(call, 100));
    await untilFull(handler.port, call);
    expect(await ask(handler.port, { from: bystander })).toBe('200');
    expect((await fetch(`http://127.0.0.1:${handler.port}/api/test`)).status).toBe(200);
  });

  it('leave photos alone, and slow photos leave calls alone', async () => {
    const handler = await openServer(calm);
    server = handler.server;
    for (let at = 0; at < calm.photos.perAddress; at += 1)
      await hold(handler.port, `${head(photo, 1_000_000)}some of it`);
    await untilFull(handler.port, photo);
    for (let at = 0; at < 5; at += 1) expect(await ask(handler.port)).toBe('200');
    for (let at = 0; at < calm.small.perAddress; at += 1) await hold(handler.port, head(call, 100));
    await untilFull(handler.port, call);
    expect(await ask(handler.port, { what: photo, from: bystander })).toBe('200');
  });

  it('free their capacity when they go, or when the rest comes', async () => {
    const handler = await openServer({ ...calm, small: { ...calm.small, perAddress: 2 } });
    server = handler.server;
    const one = await hold(handler.port, head(call, 2));
    const other = await hold(handler.port, head(call, 2));
    await untilFull(handler.port, call);
    one.socket.destroy();
    await vi.waitFor(async () => expect(await ask(handler.port)).toBe('200'), 20_000);
    other.socket.write('{}');
    await vi.waitFor(() => expect(other.heard()).toContain('HTTP/1.1 200'), 20_000);
  });

  it.each([call, photo])(
    'to $path are told that they are too slow, and hung up on even if they never hang up themselves',
    async (what) => {
      const handler = await openServer({
        small: { ...bulkheads.small, windowMs: 50 },
        photos: { ...bulkheads.photos, windowMs: 50 },
      });
      server = handler.server;
      const slow = await hold(handler.port, `${head(what, 100)}{`);
      await vi.waitFor(() => expect(slow.isOver()).toBe(true), 20_000);
      expect(slow.heard()).toMatch(/^HTTP\/1\.1 503 [^]*Retry-After: 1[^]*"too-slow"/);
      await vi.waitFor(
        () =>
          new Promise((resolve, reject) =>
            server.getConnections((_, count) =>
              count === 0 ? resolve(count) : reject(new Error(`${count} are open`)),
            ),
          ),
        20_000,
      );
    },
  );
});

describe('the pace of a body', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const rules = { windowMs: 10_000, bytesPerSecond: 1_000, cutAfter: 20_000_000 };

  function sender(changes: Partial<IncomingMessage> = {}) {
    const socket = { bytesRead: 500, destroyed: false, writable: false, destroy: () => (socket.destroyed = true) };
    const req = { socket, complete: false, destroyed: false, readableLength: 0, once: () => undefined, ...changes };
    holdToPace(req as unknown as IncomingMessage, rules);
    return {
      sends: (bytes: number, seconds: number) => {
        for (let second = 0; second < seconds; second += 1) {
          socket.bytesRead += bytes;
          vi.advanceTimersByTime(1_000);
        }
        return socket.destroyed ? 'cut' : 'welcome';
      },
    };
  }

  it('lets 50 kbit/s go on for half an hour, and cuts a trickle in seconds', () => {
    expect(sender().sends(6_250, 1_800)).toBe('welcome');
    expect(sender().sends(10, 9)).toBe('welcome');
    expect(sender().sends(10, 11)).toBe('cut');
  });

  it('gives no credit for bytes that came at once before a silence', () => {
    const { sends } = sender();
    expect([sends(1_000_000, 5), sends(0, 4), sends(0, 12)]).toEqual(['welcome', 'welcome', 'cut']);
  });

  it('ends with the body, and does not blame the sender for what we have not read', () => {
    expect(sender({ complete: true }).sends(0, 60)).toBe('welcome');
    expect(sender({ readableLength: 1 } as Partial<IncomingMessage>).sends(0, 60)).toBe('welcome');
  });

  it('cuts what never ends', () => {
    expect(sender().sends(1_000_000, 40)).toBe('cut');
  });
});
