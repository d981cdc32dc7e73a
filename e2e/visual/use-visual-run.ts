import { test } from '@playwright/test';
import { examineScreen, openedAt } from './examine-screen.ts';
import { openVisualRun, type VisualRun } from './visual-run.ts';
import type { Fixture, Scenario, ScreenState } from './screen-state.ts';

const isLong = process.env['TEST_LONG'] === '1';

export interface ExaminedRun {
  /**
   * Runs a scenario and returns what was found wrong with its screen states, a line each. Those that are like another
   * one are left to `npm run test:long`.
   */
  examine(scenario: Scenario): Promise<string[]>;
  play: VisualRun['play'];
}

/** A visual run for the tests of one file, opened before them and closed after. */
export function useVisualRun(): ExaminedRun {
  let opened: VisualRun | undefined;
  test.beforeAll(async () => {
    opened = await openVisualRun();
  });
  test.afterAll(async () => opened?.close());

  const play: VisualRun['play'] = (...asked) => {
    if (opened === undefined) throw new Error('The visual run is not open.');
    return opened.play(...asked);
  };
  return {
    play,
    examine: async (scenario) => {
      const found: string[] = [];
      const look = async (screen: ScreenState, fixture: Fixture) => {
        found.push(...(await examineScreen(screen, fixture)));
      };
      const screens = scenario.screens.filter(({ isLike }) => isLong || isLike === undefined);
      await play({ ...scenario, screens }, look, openedAt);
      return found;
    },
  };
}
