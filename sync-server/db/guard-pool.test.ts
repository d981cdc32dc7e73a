import { readFile } from 'node:fs/promises';
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

test('a process that was stalled reads what was received before it calls a connection silent', async () => {
  const { pool, seen } = poolThat(() => readFile(import.meta.filename));
  const client = await guardPool(pool, limits).pool.connect();
  const asked = client.query('select 1', []);
  stall(300);
  expect(await asked).toBeInstanceOf(Buffer);
  expect(seen.destroyed).toBe(0);
});

test('a connection that never answers is destroyed', async () => {
  const { pool, seen } = poolThat(() => new Promise(() => undefined));
  const client = await guardPool(pool, limits).pool.connect();
  void client.query('select 1', []);
  await expect.poll(() => seen.destroyed).toBe(1);
});
