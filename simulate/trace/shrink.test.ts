import { beforeAll, describe, expect, test } from 'vitest';
import { shrink, describeRun, type ShortRun } from './shrink.ts';

describe('a failing seed', () => {
  const failing = { seed: 3, steps: 40, plant: '“saved” on request success instead of transaction complete' };
  let short: ShortRun;
  beforeAll(async () => {
    short = await shrink(failing);
  });

  test('is made shorter for as long as the same rule is broken', () => {
    expect(short.ended.violation?.invariant).toBe('C1');
    expect(short.only.length).toBeLessThan(10);
    expect(short.tries).toBeGreaterThan(5);
  });

  test('is printed with the one command that runs it again', () => {
    const told = describeRun(short);
    expect(short.ended.trace.length).toBeGreaterThan(0);
    for (const { text } of short.ended.trace) expect(told).toContain(text);
    expect(told).toContain(`=> ${short.ended.violation?.message ?? 'nothing'}`);
    expect(told.split('\n').at(-1)).toBe(
      `npm run simulate -- --seed 3 --steps 40 --only ${short.only.join()} --plant "${failing.plant}"`,
    );
  });

  test('breaks the same rule when that command is given, and none without the defect', async () => {
    const replayed = await shrink({ ...failing, only: short.only });
    expect(replayed.ended.violation).toEqual(short.ended.violation);
    const sound = await shrink({ ...failing, plant: undefined, only: short.only });
    expect(sound.ended.violation).toBeUndefined();
  });
});
