import type { Locator, Page } from '@playwright/test';
import { timeoutMs } from './timeout-ms.ts';

/** Runs in the page before its own scripts: records every text that a live region has come to hold. */
export function recordSpeech(): void {
  const spoken: string[] = [];
  Object.assign(window, { spoken });
  const regions = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive], output';
  const hear = (node: Node) => {
    const element = node instanceof Element ? node : node.parentElement;
    const region = element?.closest(regions);
    const text = region?.textContent?.trim() ?? '';
    if (text !== '' && spoken.at(-1) !== text) spoken.push(text);
  };
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      hear(target);
      // A region that is added with its words in it: alerts are announced so.
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const region of [node, ...node.querySelectorAll('[role=alert]')])
            if (region.matches('[role=alert]')) hear(region);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Everything live regions have announced since the page was loaded. */
export function spokenIn(page: Page): Promise<string[]> {
  return page.evaluate(() => [...(window as unknown as { spoken: string[] }).spoken]);
}

/** Waits until a live region has announced this. */
export async function untilSaid(page: Page, words: string | RegExp): Promise<void> {
  const isMatch = (text: string) => (typeof words === 'string' ? text.includes(words) : words.test(text));
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if ((await spokenIn(page)).some(isMatch)) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`It was not said: ${String(words)}. Said: ${(await spokenIn(page)).slice(-8).join(' | ')}`);
}

/** What is not in the page yet, as a card further down, has no focus. */
const hasFocus = (target: Locator) =>
  target.evaluateAll((found) => found.length === 1 && found[0] === document.activeElement).catch(() => false);

/** What has the focus, as a sighted keyboard user sees it, and how high the page is: asked in one message. */
interface Stop {
  /** What such a user would miss: the focused element is out of the window or under something else (WCAG 2.4.11). */
  hidden: string | undefined;
  height: number;
}

async function stopOf(page: Page): Promise<Stop> {
  return page.evaluate(() => {
    const height = document.documentElement.scrollHeight;
    const focused = document.activeElement;
    if (focused === null || focused === document.body) return { hidden: undefined, height };
    // Ticks, radios, sliders and file inputs are invisible inside what shows them.
    const shown = focused.matches('input[type=checkbox], input[type=radio], input[type=range], input[type=file]')
      ? (focused.closest('label, [role=group]') ?? focused)
      : focused;
    const { left, right, top, bottom } = shown.getBoundingClientRect();
    const points = [0.1, 0.5, 0.9].flatMap((x) =>
      [0.1, 0.5, 0.9].map((y) => [left + (right - left) * x, top + (bottom - top) * y] as const),
    );
    const isSeen = points.some(([x, y]) => {
      const there = document.elementFromPoint(x, y);
      return there !== null && (shown.contains(there) || there.contains(shown));
    });
    const name = (focused.getAttribute('aria-label') ?? focused.textContent ?? '').slice(0, 40);
    return {
      hidden: isSeen ? undefined : `${focused.tagName} “${name}” has the focus and cannot be seen`,
      height,
    };
  });
}

/**
 * Waits for pending content: it would push away what has the focus, or appear between two stops already passed. Returns
 * how high the page is then.
 */
async function untilComplete(page: Page): Promise<number> {
  for (;;) {
    const height = await page.evaluate(() =>
      document.querySelector('main:empty, main [data-waiting]') === null ? document.documentElement.scrollHeight : null,
    );
    if (height !== null) return height;
    await page.waitForFunction(() => document.querySelector('main:empty, main [data-waiting]') === null);
  }
}

/**
 * To the next stop, which must be visible. A page that grows at that very time moves what has the focus with it, which
 * is no error: then go back and come anew, until the page was the same before and after.
 */
async function step(page: Page, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (;;) {
    const before = await untilComplete(page);
    await page.keyboard.press(key);
    const { hidden, height } = await stopOf(page);
    if (hidden === undefined) return;
    if (height === before) throw new Error(hidden);
    await page.keyboard.press(key === 'Tab' ? 'Shift+Tab' : 'Tab');
  }
}

/** Tab until this has the focus, round and round while it may still come; every stop on the way must be visible. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (let presses = 0; presses < 120 || Date.now() < deadline; presses += 1) {
    if (await hasFocus(target)) return;
    await step(page, key);
  }
  throw new Error(`Tab never comes to ${String(target)}`);
}

/** Tab to it and press Enter. */
export async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/** The navigation is done: the heading has the focus, the tab its name, and both say the same. */
export async function untilArrived(page: Page, title: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1, name: title });
  await heading.waitFor();
  const deadline = Date.now() + timeoutMs;
  while (!(await hasFocus(heading))) {
    if (Date.now() > deadline)
      throw new Error(
        `The heading ${title} has no focus; ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))} has.`,
      );
    await page.waitForTimeout(50);
  }
  const named = await page.title();
  if (named !== `${title} · Dwang`) throw new Error(`The tab is called ${named}`);
}
