import { test } from '@playwright/test';
import { examineScreen } from './examine-screen.ts';
import { openVisualRun, type VisualRun } from './visual-run.ts';
import type { Scenario } from './screen-state.ts';

export interface ExaminedRun {
  /** Runs a scenario and returns what was found wrong with its screen states, a line each. */
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

  const play: VisualRun['play'] = (scenario, look) => {
    if (opened === undefined) throw new Error('The visual run is not open.');
    return opened.play(scenario, look);
  };
  return {
    play,
    examine: async (scenario) => {
      const found: string[] = [];
      await play(scenario, async (screen, fixture) => {
        found.push(...(await examineScreen(screen, fixture)));
      });
      return found;
    },
  };
}
