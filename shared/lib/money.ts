import * as z from 'zod/mini';

const cents = (dollars: number) => Math.round(dollars * 100);

/**
 * New Zealand dollars, zero or more, two decimals at most. Kept as numeric(12,2) in the database;
 * a JSON number of this range carries two decimals exactly, and no code does sums with it.
 */
export const moneySchema = z.number('Enter an amount in dollars.').check(
  z.gte(0, 'A budget can’t be less than $0.'),
  z.lte(9_999_999_999.99, 'That budget is too large.'),
  z.refine((dollars) => cents(dollars) / 100 === dollars, 'Use two decimals at most.'),
);

// Making one costs more than a hundred uses of it.
const formats = new Map<number, Intl.NumberFormat>();

/** `$50,000`, or `$19.50` where there are cents. */
export function formatMoney(dollars: number): string {
  const digits = cents(dollars) % 100 === 0 ? 0 : 2;
  const format =
    formats.get(digits) ??
    new Intl.NumberFormat('en-NZ', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  formats.set(digits, format);
  return `$${format.format(dollars)}`;
}
