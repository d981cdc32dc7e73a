import { describe, expect, test } from 'vitest';
import { formatMoney, moneySchema } from './money.ts';

describe('moneySchema', () => {
  test.each([0, 0.01, 19.5, 21.85, 50_000, 9_999_999_999.99])('takes %d [§5]', (dollars) => {
    expect(moneySchema.safeParse(dollars).success).toBe(true);
  });
  test.each([-1, 0.001, 10.555, 1e-10, 0.1 + 0.2, Number.NaN, Number.POSITIVE_INFINITY, 1e11, '5'])(
    'rejects %s [§settled]',
    (dollars) => {
      expect(moneySchema.safeParse(dollars).success).toBe(false);
    },
  );
});

test('formatMoney writes New Zealand dollars [§settled]', () => {
  expect(formatMoney(50_000)).toBe('$50,000');
  expect(formatMoney(19.5)).toBe('$19.50');
  expect(formatMoney(0)).toBe('$0');
});
