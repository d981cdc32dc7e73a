import { expect, test } from 'vitest';
import { pokeReader, streamPokes } from './poke.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

test('an event is heard however the network cuts it, and a comment is not one', () => {
  const stream = ': hello\n\nevent: poke\ndata:\n\n: beat\n\nevent: poke\r\ndata: \r\n\r\nevent: other\ndata: x\n\n';
  for (let size = 1; size <= stream.length; size += 1) {
    let heard = 0;
    const read = pokeReader(() => (heard += 1));
    for (let at = 0; at < stream.length; at += size) read(bytes(stream.slice(at, at + size)));
    expect(heard).toBe(2);
  }
});

test('connects again when the stream ends, and looks once because something may have been missed', async () => {
  const over = new AbortController();
  const connections: string[] = [];
  const pokes: number[] = [];
  const finished = new Promise<void>((resolve) => {
    streamPokes({
      url: '/api/sync/poke',
      token: async () => 'token-1',
      // Time stands still for silence, and passes at once for the back-off.
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
