import { axeFinds, smallTargets, sticksOut, unaskedMotion } from './examine.ts';
import { shiftsOf, untilStill } from './play.ts';
import type { Scene, Stage } from './scene.ts';

const widths = [320, 768, 1_280] as const;
/** Specification of this house, stricter than the 0.1 that counts as good. */
const mostShift = 0.02;

/** What is wrong with this scene as it stands on a small phone, a tablet and a desk, in both themes, a line each. Leaves the window as it was. */
export async function lookAtScene({ name }: Scene, { page }: Stage): Promise<string[]> {
  const found: string[] = [];
  const usual = page.viewportSize() ?? { width: 1_280, height: 800 };
  for (const width of widths) {
    await page.setViewportSize({ width, height: usual.height });
    await untilStill(page);
    const inLight = [...(await sticksOut(page)), ...(await smallTargets(page)), ...(await axeFinds(page, 'everything'))];
    await page.emulateMedia({ colorScheme: 'dark' });
    await untilStill(page);
    const inDark = await axeFinds(page, 'colours');
    await page.emulateMedia({ colorScheme: 'light' });
    found.push(...inLight.map((one) => `${name} (${width} px): ${one}`), ...inDark.map((one) => `${name} (${width} px, dark): ${one}`));
  }
  await page.setViewportSize(usual);
  return found;
}

/** The same, and what jumped while it was loading, what breaks at twice the text size, and what moves although nobody wants it to. */
export async function examineScene(scene: Scene, stage: Stage): Promise<string[]> {
  const { page } = stage;
  const found: string[] = [];
  const note = (where: string, what: readonly string[]) => found.push(...what.map((one) => `${scene.name} (${where}): ${one}`));
  const usual = page.viewportSize() ?? { width: 1_280, height: 800 };

  if (scene.at !== undefined && scene.enter === undefined) {
    const { sum, what } = await shiftsOf(page);
    note('loading', sum >= mostShift ? [`jumped by ${sum.toFixed(3)}: ${what.join(', ')}`] : []);
  }
  found.push(...(await lookAtScene(scene, stage)));
  await page.setViewportSize({ width: 390, height: 844 });
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  await untilStill(page);
  note('200 % text', await sticksOut(page));
  await page.evaluate(() => void (document.documentElement.style.fontSize = ''));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  note('no motion wanted', await unaskedMotion(page));
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.setViewportSize(usual);
  return found;
}
