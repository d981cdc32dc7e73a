/*
 * `npm run screens`: every screen state at every size in both themes, and one page that shows them all.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildIfStale } from './built.mjs';
import { readArguments, refuse } from './read-arguments.mjs';
import { badDayScenarios, goodDayScenarios } from '../e2e/visual/scenarios.ts';
import { contactSheet, type Shot } from '../e2e/visual/contact-sheet.ts';
import { untilStill } from '../e2e/visual/until-still.ts';
import { openVisualRun } from '../e2e/visual/visual-run.ts';
import type { ScreenState, Fixture } from '../e2e/visual/screen-state.ts';

const folder = join(import.meta.dirname, '../.screens');
const tiny = 320;
/** A list of twenty thousand jobs has no end; a picture has. */
const tallest = 2_400;
const schemes = ['light', 'dark'] as const;

/**
 * `npm run screens -- dashboard waiting`: only the screen states whose names begin so, and the steps that lead to them.
 */
const use = 'npm run screens [-- <beginning of a screen’s name> …] [--widths 390,768,1280,1600]';
const { positionals: wanted, values } = readArguments(
  use,
  { widths: { type: 'string', default: '390,1280' } },
  { allowPositionals: true },
);
const widths = values.widths.split(',').map(Number);
if (!widths.every((width: number) => Number.isInteger(width) && width >= 200))
  refuse(use, `--widths takes widths in pixels, 200 or more, with commas between, not “${values.widths}”.`);
const isWanted = ({ name }: ScreenState) => wanted.length === 0 || wanted.some((begin) => name.startsWith(begin));

async function shoot(screen: ScreenState, { page }: Fixture): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const width of [...widths, ...(screen.isAlsoTiny === true ? [tiny] : [])]) {
    const usual = width < 600 ? 844 : 800;
    await page.setViewportSize({ width, height: usual });
    if (screen.isWindow !== true) {
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: Math.min(Math.max(whole, usual), tallest) });
    }
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await untilStill(page);
      const path = join(folder, `${screen.name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, caret: 'initial', animations: screen.isWaiting === true ? 'disabled' : 'allow' });
      shots.push({ screen: screen.name, width, colorScheme, file: relative(folder, path) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_280, height: 800 });
  return shots;
}

buildIfStale();
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const visualRun = await openVisualRun({ deviceScaleFactor: 2 });
const shots: Shot[] = [];
try {
  for (const scenario of [...goodDayScenarios, ...badDayScenarios]) {
    if (!scenario.screens.some(isWanted)) continue;
    const playing = visualRun.play(scenario, async (screen, stage) => {
      if (!isWanted(screen)) return;
      shots.push(...(await shoot(screen, stage)));
      console.log(screen.name);
    });
    await playing.catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    });
  }
} finally {
  await visualRun.close();
}
await writeFile(join(folder, 'index.html'), contactSheet(shots));
console.log(`${shots.length} pictures: ${join(folder, 'index.html')}`);
