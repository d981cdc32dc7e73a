import { monthlyPrice, usualTrialDays } from '../../shared/lib/price.ts';

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** What is charged, in every place where one decides: the words of the checkout are the same. */
export const priceWords = {
  month: `${dollars(monthlyPrice.total)} a month, GST included`,
  once: dollars(monthlyPrice.total),
  withTrial: `${usualTrialDays} days free, then ${dollars(monthlyPrice.total)} a month, GST included`,
  /** The same price before tax: the words of the screens that ask for the subscription. */
  before: '$19 + GST',
} as const;
