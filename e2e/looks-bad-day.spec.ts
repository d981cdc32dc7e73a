import { expect, test } from 'vitest';
import { badDayScenarios } from './visual/scenarios.ts';
import { useVisualRun } from './visual/use-visual-run.ts';

/* As `looks-good-day.spec.ts`: first visits, no signal, rejected changes, a subscription that has ended, and words without a break. */

const run = useVisualRun();

test.each(badDayScenarios)('nothing is wrong with the screens of: $name', async (scenario) => {
  expect(await run.examine(scenario)).toEqual([]);
});
