/*
 * `npm run screens`: every scene at every size in both themes, and one page that shows them all.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buildIfStale } from './built.mjs';
import { readArguments } from './read-arguments.mjs';
import { badDayActs, goodDayActs } from '../e2e/scenes/acts.ts';
import { contactSheet, type Shot } from '../e2e/scenes/contact-sheet.ts';
import { openTheatre, untilStill } from '../e2e/scenes/play.ts';
import type { Scene, Stage } from '../e2e/scenes/scene.ts';

const folder = join(import.meta.dirname, '../.screens');
const widths = [390, 1_280] as const;
const tiny = 320;
/** A list of twenty thousand jobs has no end; a picture has. */
const tallest = 2_400;
const schemes = ['light', 'dark'] as const;

/** `npm run screens -- dashboard waiting`: only the scenes whose names begin so, and what leads to them. */
const { positionals: wanted } = readArguments('npm run screens [-- <beginning of a scene’s name> …]', {}, { allowPositionals: true });
const isWanted = ({ name }: Scene) => wanted.length === 0 || wanted.some((begin) => name.startsWith(begin));

async function shoot(scene: Scene, { page }: Stage): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const width of [...widths, ...(scene.isAlsoTiny === true ? [tiny] : [])]) {
    const usual = width < 600 ? 844 : 800;
    await page.setViewportSize({ width, height: usual });
    if (scene.isWindow !== true) {
      const whole = await page.evaluate(() => document.documentElement.scrollHeight);
      await page.setViewportSize({ width, height: Math.min(Math.max(whole, usual), tallest) });
    }
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await untilStill(page);
      const path = join(folder, `${scene.name}-${width}-${colorScheme}.png`);
      await page.screenshot({ path, caret: 'initial', animations: scene.isWaiting === true ? 'disabled' : 'allow' });
      shots.push({ scene: scene.name, width, colorScheme, file: relative(folder, path) });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_280, height: 800 });
  return shots;
}

buildIfStale();
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const theatre = await openTheatre({ deviceScaleFactor: 2 });
const shots: Shot[] = [];
try {
  for (const act of [...goodDayActs, ...badDayActs]) {
    if (!act.scenes.some(isWanted)) continue;
    const playing = theatre.play(act, async (scene, stage) => {
      if (!isWanted(scene)) return;
      shots.push(...(await shoot(scene, stage)));
      console.log(scene.name);
    });
    await playing.catch((error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    });
  }
} finally {
  await theatre.close();
}
await writeFile(join(folder, 'index.html'), contactSheet(shots));
console.log(`${shots.length} pictures: ${join(folder, 'index.html')}`);
