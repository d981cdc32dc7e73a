import { expect, test } from 'vitest';
import { badDayActs } from './scenes/acts.ts';
import { useTheatre } from './scenes/use-theatre.ts';

/* As `looks-good-day.spec.ts`: first visits, no signal, changes refused, a subscription that has ended, and words that never break. */

const theatre = useTheatre();

test.each(badDayActs)('nothing is wrong with the screens of: $name', async (act) => {
  expect(await theatre.examine(act)).toEqual([]);
});
