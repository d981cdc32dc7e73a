import { afterEach, expect, test, vi } from 'vitest';
import type { Database } from '../db/database.ts';
import { openEffectRunner, effectRules } from './run-effects.ts';

/*
 * When due effects are looked for. The database is a double that has none; what is done with them is in
 * effects.pg.test.ts.
 */

afterEach(() => void vi.useRealTimers());

function open() {
  vi.useFakeTimers();
  let looks = 0;
  let onNotice = () => {};
  const statement: unknown = new Proxy(() => undefined, {
    get: (_of, part) => (part === 'execute' ? () => Promise.resolve([]) : () => statement),
  });
  const database = {
    listen: (_channel: string, hear: () => void) => {
      onNotice = hear;
      return Promise.resolve(() => Promise.resolve());
    },
    sql: {
      deleteFrom: () => statement,
      updateTable: () => {
        looks += 1;
        return statement;
      },
    },
  } as unknown as Database;
  const log = { warn: () => {}, error: () => {} };
  const effects = openEffectRunner({ database, clock: () => new Date(), log, handlers: {} as never });
  return { effects, looks: () => looks, notice: () => onNotice() };
}

test('many notices at once are one look, and not before the exchange that caused them was answered', async () => {
  const { effects, looks, notice } = open();
  await effects.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(looks()).toBe(1);
  for (let at = 0; at < 100; at += 1) notice();
  await vi.advanceTimersByTimeAsync(effectRules.after - 1);
  expect(looks()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(looks()).toBe(2);
  notice();
  await vi.advanceTimersByTimeAsync(effectRules.after);
  expect(looks()).toBe(3);
});

test('a server that stops looks no more', async () => {
  const { effects, looks, notice } = open();
  await effects.start();
  await vi.advanceTimersByTimeAsync(0);
  notice();
  await effects.close();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(looks()).toBe(1);
});
