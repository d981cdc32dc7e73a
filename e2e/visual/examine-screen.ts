import type { Page } from '@playwright/test';
import { axeFinds, smallTargets, sticksOut, unaskedMotion } from './examine.ts';
import { open, shiftsOf, untilStill } from './visual-run.ts';
import type { ScreenState, Fixture } from './screen-state.ts';

/** In `npm run test:long` axe looks at every width in both themes; else at the narrowest in light and the widest in dark. */
const isLong = process.env['TEST_LONG'] === '1';
const widths = [320, 768, 1_280] as const;
const [narrowest, widest] = [320, 1_280];
const phone = { width: 390, height: 844 } as const;
/** Cumulative layout shift: stricter than the 0.1 that counts as good. */
const maxShift = 0.02;

/**
 * What is wrong with this screen state, a line each: on a small phone, a tablet and a desktop, in both themes, at twice the text
 * size, with reduced motion, and what jumped while it was loading. Leaves the window as it was.
 */
export async function examineScreen(screen: ScreenState, fixture: Fixture): Promise<string[]> {
  const { page } = fixture;
  const found: string[] = [];
  const note = (where: string, what: readonly string[]) =>
    found.push(...what.map((one) => `${screen.name} (${where}): ${one}`));
  const usual = page.viewportSize() ?? { width: 1_280, height: 800 };
  const isOpenedByItself = screen.at !== undefined && screen.enter === undefined && screen.isWaiting !== true;

  if (isOpenedByItself) note(`opened at ${usual.width} px`, await jumped(page));
  for (const width of widths) {
    await page.setViewportSize({ width, height: usual.height });
    await untilStill(page);
    note(`${width} px`, [...(await sticksOut(page)), ...(await smallTargets(page))]);
    if (isLong || width === narrowest) note(`${width} px`, await axeFinds(page, 'everything'));
    if (!isLong && width !== widest) continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    await untilStill(page);
    note(`${width} px, dark`, await axeFinds(page, isLong ? 'colours' : 'everything'));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await page.setViewportSize(phone);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = '200%';
    // What is anchored to a button, as a menu, is positioned anew.
    window.dispatchEvent(new Event('resize'));
  });
  await untilStill(page);
  note('200 % text', await sticksOut(page));
  await page.evaluate(() => void (document.documentElement.style.fontSize = ''));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  note('no motion wanted', await unaskedMotion(page));
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  if (isOpenedByItself) {
    await open(screen, fixture);
    note(`opened at ${phone.width} px`, await jumped(page));
  }
  await page.setViewportSize(usual);
  return found;
}

async function jumped(page: Page): Promise<string[]> {
  const { sum, what } = await shiftsOf(page);
  return sum >= maxShift ? [`jumped by ${sum.toFixed(3)}: ${what.join(', ')}`] : [];
}
