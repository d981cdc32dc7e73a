import { expect, test } from 'vitest';
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

test('connects again when the stream ends, and asks once because something may have been missed', async () => {
  const over = new AbortController();
  const connections: string[] = [];
  const pokes: number[] = [];
  const finished = new Promise<void>((resolve) => {
    streamPokes({
      url: '/api/sync/poke',
      token: async () => 'token-1',
      // Time stands still for the silence timer, and passes at once for the back-off.
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

/** Connections answered one after the other, with time that passes at once for the back-off and never for silence. */
async function connect(answers: readonly { token: string; answer: () => Response }[]): Promise<{ asked: string[]; pokesBefore: number[]; pokes: number }> {
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

test('a session that was ended elsewhere is asked about at the first 401 of its stream, and at no later one', async () => {
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

test('what says nothing about the session asks nothing: a server that is broken, a portal, no signal', async () => {
  const { pokesBefore } = await connect(
    [503, 403, 404, 200].map((status) => ({ token: 'token-1', answer: () => new Response('<h1>Free wifi</h1>', { status, headers: { 'Content-Type': 'text/html' } }) })),
  );
  expect(pokesBefore).toEqual([0, 0, 0, 0]);
});
