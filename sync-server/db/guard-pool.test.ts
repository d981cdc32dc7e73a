import type { Pool } from 'pg';
import { expect, test } from 'vitest';
import { guardPool } from './guard-pool.ts';

const limits = { statement: 50, trivial: 50, unused: 60_000 };

/** A pool of one connection, and how often it was destroyed. */
function poolThat(answers: () => Promise<unknown>) {
  const seen = { destroyed: 0 };
  const client = { query: answers, release: () => undefined, end: async () => void (seen.destroyed += 1) };
  return { pool: { connect: async () => client } as unknown as Pool, seen };
}

function stall(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

/** As late in a turn of the event loop as what a socket received: after the timers that are due. */
const nextTurn = (answer?: string) => new Promise((resolve) => setImmediate(resolve, answer));

test('a process that was stalled reads what was received before it calls a connection silent', async () => {
  const { pool, seen } = poolThat(() => nextTurn('received'));
  const client = await guardPool(pool, limits).pool.connect();
  await nextTurn();
  const asked = client.query('select 1', []);
  stall(300);
  expect(await asked).toBe('received');
  expect(seen.destroyed).toBe(0);
});

test('a connection that never answers is destroyed', async () => {
  const { pool, seen } = poolThat(() => new Promise(() => undefined));
  const client = await guardPool(pool, limits).pool.connect();
  void client.query('select 1', []);
  await expect.poll(() => seen.destroyed).toBe(1);
});

test('a server that stops while a connection is being made gives it back, and does not wait for it for ever', async () => {
  const { pool } = poolThat(async () => undefined);
  const released: unknown[] = [];
  const client = { query: async () => undefined, release: (error: unknown) => void released.push(error) };
  const made = Promise.withResolvers<typeof client>();
  const slow = { ...pool, connect: () => made.promise, end: async () => undefined } as unknown as Pool;
  const guarded = guardPool(slow, limits).pool;
  const connecting = guarded.connect();
  const ending = guarded.end();
  made.resolve(client);
  await expect(connecting).rejects.toMatchObject({ code: '57P01' });
  await ending;
  expect(released).toEqual([true]);
});
