import { expect, test } from '@playwright/test';
import { long } from './test-options.ts';
import { badDayScenarios, inLongRunAlone } from './visual/scenarios.ts';
import { useVisualRun } from './visual/use-visual-run.ts';

/*
 * As `looks-good-day.spec.ts`: first visits, no signal, rejected changes, a subscription that has ended, and words
 * without a break.
 */

const run = useVisualRun();

for (const scenario of badDayScenarios)
  test(`nothing is wrong with the screens of: ${scenario.name}`, inLongRunAlone.has(scenario) ? long : {}, async () => {
    expect(await run.examine(scenario)).toEqual([]);
  });
