import { expect, test } from 'vitest';
import { manualClock } from '../testing/manual-clock.ts';
import { pokeReader, streamPokes } from './poke.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('an event is parsed however the network splits it, and a comment is not one', () => {
  const stream = ': hello\n\nevent: poke\ndata:\n\n: beat\n\nevent: poke\r\ndata: \r\n\r\nevent: other\ndata: x\n\n';
  for (let size = 1; size <= stream.length; size += 1) {
    let heard = 0;
    const read = pokeReader(() => (heard += 1));
    for (let at = 0; at < stream.length; at += size) read(bytes(stream.slice(at, at + size)));
    expect(heard).toBe(2);
  }
});

test('[P10] a change is read however the network splits it; one that cannot be read is a poke', () => {
  const change = {
    userId: '0194b2a0-0000-7000-8000-000000000001',
    asked: { cookie: 'c1', shelves: { feed: '1' }, timelines: { feed: 't' } },
    answer: {
      kind: 'delta',
      puts: {},
      removes: { jobs: ['é'] },
      shelves: {},
      outcomes: [],
      cookie: 'c2',
      more: false,
      serverTime: '2026-11-21T00:00:00.000Z',
    },
  };
  const stream = bytes(`: hello\n\nevent: change\ndata: ${JSON.stringify(change)}\n\nevent: change\ndata: {"half\n\n`);
  for (let size = 1; size <= stream.length; size += 7) {
    let pokes = 0;
    const changes: unknown[] = [];
    const read = pokeReader(
      () => (pokes += 1),
      (one) => changes.push(one),
    );
    for (let at = 0; at < stream.length; at += size) read(stream.slice(at, at + size));
    expect(changes).toEqual([change]);
    expect(pokes).toBe(1);
  }
});

test('[P10] asks for changes where the device has a name, and says it; otherwise as an app of before', async () => {
  const asked: string[] = [];
  for (const device of ['device-1', undefined]) {
    const over = new AbortController();
    await new Promise<void>((resolve) =>
      streamPokes({
        url: '/api/sync/poke',
        token: async () => 'token-1',
        deviceId: async () => device,
        clock: { now: () => 0, setTimer: () => () => undefined },
        random: { next: () => 0 },
        fetch: async (url, init) => {
          asked.push(`${String(url)} ${new Headers(init?.headers).get('X-Device-Id')}`);
          over.abort();
          resolve();
          return refused();
        },
      })(() => {}, over.signal),
    );
  }
  expect(asked).toEqual(['/api/sync/poke?changes=1 device-1', '/api/sync/poke null']);
});

test('connects again when the stream ends, and pokes once because one may have been missed', async () => {
  const over = new AbortController();
  const connections: string[] = [];
  const pokes: number[] = [];
  const finished = new Promise<void>((resolve) => {
    streamPokes({
      url: '/api/sync/poke',
      token: async () => 'token-1',
      // The silence timer never fires; the back-off fires at once.
      clock: { now: () => 0, setTimer: (ms, fire) => (ms < 10_000 && queueMicrotask(fire), () => undefined) },
      random: { next: () => 0 },
      fetch: async (_url, init) => {
        connections.push(new Headers(init?.headers).get('Authorization') ?? '');
        if (connections.length === 3) {
          over.abort();
          resolve();
        }
        return new Response('event: poke\ndata:\n\n', { headers: { 'Content-Type': 'text/event-stream' } });
      },
    })(() => pokes.push(connections.length), over.signal);
  });
  await finished;
  expect(connections).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-1']);
  expect(pokes).toEqual([1, 2, 2]);
});

/** Connections answered in order; back-off timers fire at once, silence timers never. */
async function connect(
  answers: readonly { token: string; answer: () => Response }[],
): Promise<{ asked: string[]; pokesBefore: number[]; pokes: number }> {
  const over = new AbortController();
  const asked: string[] = [];
  const pokesBefore: number[] = [];
  let pokes = 0;
  await new Promise<void>((resolve) => {
    streamPokes({
      url: '/api/sync/poke',
      token: async () => answers[asked.length]?.token,
      clock: { now: () => 0, setTimer: (ms, fire) => (ms < 60_000 && queueMicrotask(fire), () => undefined) },
      random: { next: () => 0 },
      fetch: async (_url, init) => {
        const next = answers[asked.length];
        asked.push(new Headers(init?.headers).get('Authorization') ?? '');
        pokesBefore.push(pokes);
        if (next !== undefined && asked.length < answers.length) return next.answer();
        over.abort();
        resolve();
        return refused();
      },
    })(() => (pokes += 1), over.signal);
  });
  return { asked, pokesBefore, pokes };
}

const refused = () => new Response('{}', { status: 401, headers: { 'Content-Type': 'application/problem+json' } });
const stands = () => new Response(': hello\n\n', { headers: { 'Content-Type': 'text/event-stream' } });

test('the first 401 of a stream makes the engine ask, in case the session was ended elsewhere; later ones do not', async () => {
  const token = 'token-1';
  const { asked, pokesBefore } = await connect([
    { token, answer: stands },
    { token, answer: refused },
    { token, answer: refused },
    { token, answer: refused },
    { token, answer: refused },
  ]);
  expect(asked).toHaveLength(5);
  expect(pokesBefore).toEqual([0, 0, 1, 1, 1]);
});

test('a 401 of another token counts again, and so does one after the stream was open', async () => {
  const { pokesBefore } = await connect([
    { token: 'token-1', answer: refused },
    { token: 'token-2', answer: refused },
    { token: 'token-2', answer: refused },
    { token: 'token-2', answer: stands },
    { token: 'token-2', answer: refused },
    { token: 'token-2', answer: refused },
  ]);
  expect(pokesBefore).toEqual([0, 1, 2, 2, 2, 3]);
});

test('a server error or a portal says nothing about the session, and makes the engine ask nothing', async () => {
  const { pokesBefore } = await connect(
    [503, 403, 404, 200].map((status) => ({
      token: 'token-1',
      answer: () => new Response('<h1>Free wifi</h1>', { status, headers: { 'Content-Type': 'text/html' } }),
    })),
  );
  expect(pokesBefore).toEqual([0, 0, 0, 0]);
});

/** Connections that the test controls, as the browser gives them: once aborted, their body errors. */
function open({ token = async () => 'token-1' }: { token?: () => Promise<string | undefined> } = {}) {
  const clock = manualClock();
  const over = new AbortController();
  const lines: { signal: AbortSignal; send(text: string): void; end(): void }[] = [];
  const rejections: (() => Response | Promise<Response>)[] = [];
  let pokes = 0;
  streamPokes({
    url: '/api/sync/poke',
    token,
    clock,
    random: { next: () => 0.9 },
    fetch: async (_url, init) => {
      const refuse = rejections.shift();
      if (refuse !== undefined) return refuse();
      const signal = init?.signal ?? over.signal;
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          signal.addEventListener('abort', () => controller.error(new DOMException('Aborted', 'AbortError')));
          lines.push({ signal, send: (text) => controller.enqueue(bytes(text)), end: () => controller.close() });
        },
      });
      return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } });
    },
  })(() => (pokes += 1), over.signal);
  return {
    clock,
    over,
    lines,
    rejections,
    pokes: () => pokes,
    next: async (ms: number | undefined) => await expect.poll(() => clock.next()).toBe(ms),
  };
}

test('a stream without a byte for 60 s is closed and opened again, though TCP keeps it; each byte restarts the time', async () => {
  const { clock, lines, pokes, next } = open();
  await expect.poll(() => lines.length).toBe(1);
  clock.advance(59_999);
  lines[0]?.send(': beat\n\n');
  await next(60_000);
  clock.advance(59_999);
  expect([lines[0]?.signal.aborted, pokes()]).toEqual([false, 0]);
  clock.advance(1);
  expect(lines[0]?.signal.aborted).toBe(true);
  await next(900);
  clock.advance(900);
  await expect.poll(() => [lines.length, pokes()]).toEqual([2, 1]);
});

test('[C8] it connects again after 1 s, 2 s, 4 s … with jitter, and after 1 s where the stream had opened', async () => {
  const { clock, lines, rejections, next } = open();
  const page = () => new Response('<h1>Free wifi</h1>', { headers: { 'Content-Type': 'text/html' } });
  const unwell = () => new Response('x', { status: 500, headers: { 'Content-Type': 'text/event-stream' } });
  await expect.poll(() => lines.length).toBe(1);
  rejections.push(
    unwell,
    page,
    () => new Response(null),
    () => Promise.reject(new TypeError('Failed to fetch')),
  );
  lines[0]?.end();
  for (const wait of [900, 1_800, 3_600, 7_200, 14_400]) {
    await next(wait);
    clock.advance(wait);
  }
  await expect.poll(() => lines.length).toBe(2);
  lines[1]?.end();
  await next(900);
});

test('without a token, or where none can be read, it makes no request and tries again later', async () => {
  let tries = 0;
  const { clock, lines, pokes, next } = open({
    token: async () => {
      tries += 1;
      if (tries === 2) throw new DOMException('Disk error', 'UnknownError');
      return tries === 1 ? undefined : 'token-1';
    },
  });
  for (const wait of [900, 1_800]) {
    await next(wait);
    expect(lines).toEqual([]);
    clock.advance(wait);
  }
  await expect.poll(() => lines.length).toBe(1);
  expect(pokes()).toBe(0);
});

test('stopped while it listens or waits, it closes the stream, makes no further request and leaves no timer', async () => {
  const listening = open();
  await expect.poll(() => listening.lines.length).toBe(1);
  listening.over.abort();
  expect(listening.lines[0]?.signal.aborted).toBe(true);
  await listening.next(undefined);

  const waiting = open();
  await expect.poll(() => waiting.lines.length).toBe(1);
  waiting.lines[0]?.end();
  await waiting.next(900);
  expect(waiting.lines[0]?.signal.aborted).toBe(true);
  waiting.over.abort();
  expect(waiting.clock.next()).toBeUndefined();
  for (const { clock } of [listening, waiting]) clock.advance(600_000);
  expect([listening.lines.length, waiting.lines.length]).toEqual([1, 1]);
});
