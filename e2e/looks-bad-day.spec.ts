import { expect, test } from '@playwright/test';
import { badDayScenarios } from './visual/scenarios.ts';
import { useVisualRun } from './visual/use-visual-run.ts';

/*
 * As `looks-good-day.spec.ts`: first visits, no signal, rejected changes, a subscription that has ended, and words
 * without a break.
 */

const run = useVisualRun();

for (const scenario of badDayScenarios)
  test(`nothing is wrong with the screens of: ${scenario.name}`, async () => {
    expect(await run.examine(scenario)).toEqual([]);
  });
