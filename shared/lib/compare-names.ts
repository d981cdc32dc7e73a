import { lazily } from './lazily.ts';

const collator = lazily(() => new Intl.Collator('en-NZ', { sensitivity: 'base', numeric: true }));

/**
 * A to Z as in New Zealand: macrons and case make no difference, and 9 comes before 10. One for all lists, since making
 * one is expensive.
 */
export function compareNames(one: string, other: string): number {
  return collator().compare(one, other);
}
