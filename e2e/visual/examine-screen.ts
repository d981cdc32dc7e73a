import type { Page } from '@playwright/test';
import { axeFinds, smallTargets, sticksOut, unaskedMotion } from './examine.ts';
import { untilStill } from './until-still.ts';
import { resize, type WindowSize } from './resize.ts';
import { desktop, open, shiftsOf } from './visual-run.ts';
import type { ScreenState, Fixture } from './screen-state.ts';

/**
 * In `npm run test:long` axe looks at every width in both themes; else at the narrowest in light, and at the widest in
 * dark at what depends on colours; a tablet is left out. What jumps while a screen is loading is seen on a phone, in
 * the long run on a desktop too.
 */
const isLong = process.env['TEST_LONG'] === '1';
const [narrowest, widest] = [320, 1_280];
const widths = isLong ? [narrowest, 768, widest] : [narrowest, widest];
const phone: WindowSize = { width: 390, height: 844 };
/** Cumulative layout shift: stricter than the 0.1 that counts as good. */
const maxShift = 0.02;

/** Nothing has to be done after its address is open, and something comes: it can be opened in a window of any size. */
const isOpenedByItself = ({ at, enter, isWaiting }: ScreenState) =>
  at !== undefined && enter === undefined && isWaiting !== true;

/** The window in which a screen state is opened to be examined. */
export const openedAt = (screen: ScreenState): WindowSize => (!isLong && isOpenedByItself(screen) ? phone : desktop);

/**
 * What is wrong with this screen state, a line each: on a small phone and a desktop, in both themes, at twice
 * the text size, with reduced motion, and what jumped while it was loading. Leaves the window as it was.
 */
export async function examineScreen(screen: ScreenState, fixture: Fixture): Promise<string[]> {
  const { page } = fixture;
  const found: string[] = [];
  const note = (where: string, what: readonly string[]) =>
    found.push(...what.map((one) => `${screen.name} (${where}): ${one}`));
  const opened = page.viewportSize() ?? desktop;

  if (isOpenedByItself(screen)) note(`opened at ${opened.width} px`, await jumped(page));
  for (const width of widths) {
    await resize(page, { width, height: desktop.height });
    await untilStill(page);
    note(`${width} px`, [...(await sticksOut(page)), ...(await smallTargets(page))]);
    if (isLong || width === narrowest) note(`${width} px`, await axeFinds(page, 'everything'));
    if (!isLong && width !== widest) continue;
    await page.emulateMedia({ colorScheme: 'dark' });
    await untilStill(page);
    note(`${width} px, dark`, await axeFinds(page, 'colours'));
    await page.emulateMedia({ colorScheme: 'light' });
  }
  await resize(page, phone);
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
  if (isLong && isOpenedByItself(screen)) {
    await open(screen, fixture);
    note(`opened at ${phone.width} px`, await jumped(page));
  }
  await resize(page, desktop);
  return found;
}

async function jumped(page: Page): Promise<string[]> {
  const { sum, what } = await shiftsOf(page);
  return sum >= maxShift ? [`jumped by ${sum.toFixed(3)}: ${what.join(', ')}`] : [];
}
