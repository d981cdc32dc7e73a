import { describe, expect, test } from 'vitest';
import { createId } from './id.ts';

const zeros = { bytes: (count: number) => new Uint8Array(count) };
const ones = { bytes: (count: number) => new Uint8Array(count).fill(255) };

describe('createId', () => {
  test('carries the milliseconds, the version and the variant [§settled]', () => {
    expect(createId(0x0123456789ab, zeros)).toBe('01234567-89ab-7000-8000-000000000000');
    expect(createId(0x0123456789ab, ones)).toBe('01234567-89ab-7fff-bfff-ffffffffffff');
  });

  test('sorts by time', () => {
    const ids = [3, 1, 2].map((second) => createId(Date.UTC(2026, 0, 1, 0, 0, second), ones));
    expect(ids.toSorted()).toEqual([ids[1], ids[2], ids[0]]);
  });
});
