import { expect, type Page } from '@playwright/test';

/*
 * What is looked for in a page on a phone's screen (`phone-shape.spec.ts`). The functions run in the page, but for
 * `goToSettled`.
 */

export const portrait = { width: 390, height: 844 };
export const landscape = { width: 844, height: 390 };
/** Of an iPhone with a Dynamic Island, held sideways. */
export const notch = { left: 59, leftMax: 59, right: 59, rightMax: 59, bottom: 21, bottomMax: 21, top: 0, topMax: 0 };

/** Opens this address, and waits until nothing of its page is still coming. */
export async function goToSettled(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('main h1').first().waitFor();
  await expect(page.locator('main [aria-busy=true]')).toHaveCount(0);
}

/** Runs in the page: fields whose text is smaller than that, at each size of text that a person can choose. */
export function tooSmall(least: number): string[] {
  const { dataset } = document.documentElement;
  const { text } = dataset;
  const found = ['usual', 'large', 'largest'].flatMap((size) => {
    dataset['text'] = size;
    return [...document.querySelectorAll<HTMLElement>('input, select, textarea')]
      .filter((field) => !field.matches('[type=checkbox], [type=radio], [type=file], [type=range], [type=hidden]'))
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < least)
      .map((field) => `${location.pathname}, ${size}: ${field.outerHTML.slice(0, 80)}`);
  });
  if (text === undefined) delete dataset['text'];
  else dataset['text'] = text;
  return found;
}

/** Texts, icons, pictures and fields that reach into the sides, and what stays at the foot under the indicator. */
export function underNotch({ left, right, bottom }: { left: number; right: number; bottom: number }): string[] {
  const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  // What is seen of a quiet button is its icon and its words; a field is seen whole.
  for (const part of document.querySelectorAll('input, select, textarea, img, svg')) {
    const box = part.getBoundingClientRect();
    if (box.width <= 1 || !part.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    // A row of chips or photos is scrolled into sight.
    if (part.closest('ul[role=list]') !== null) continue;
    const stays = part.closest('[data-main-nav], [data-action-bar]') !== null;
    if (
      box.left < left - 1 ||
      box.right > window.innerWidth - right + 1 ||
      (stays && box.bottom > window.innerHeight - bottom + 1)
    )
      found.push(
        `${location.pathname}: ${(part.parentElement ?? part).outerHTML.slice(0, 80)} at ${Math.round(box.left)} to ${Math.round(box.right)}, ${Math.round(box.bottom)}`,
      );
  }
  for (let node = words.nextNode(); node !== null; node = words.nextNode()) {
    const parent = node.parentElement;
    if (
      parent === null ||
      (node.textContent ?? '').trim() === '' ||
      !parent.checkVisibility({ visibilityProperty: true })
    )
      continue;
    if (parent.closest('script, style, noscript, [data-live-announcer]') !== null) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const isClipped = getComputedStyle(parent).clipPath !== 'none' || box.width <= 1;
    if (!isClipped && (box.left < left - 1 || box.right > window.innerWidth - right + 1))
      found.push(
        `${location.pathname}: “${(node.textContent ?? '').trim().slice(0, 40)}” at ${Math.round(box.left)} to ${Math.round(box.right)}`,
      );
  }
  return found;
}

/** Runs in the page, as on an iPhone: the keyboard covers the page's lower part, which stays as high as it was. */
export function coverBelow(height: number): void {
  const viewport = window.visualViewport!;
  Object.defineProperty(viewport, 'height', { configurable: true, get: () => height });
  viewport.dispatchEvent(new Event('resize'));
}

/** Runs in the page. */
export function seenWithMessage(field: HTMLElement | SVGElement): string {
  const parts = [
    field,
    ...(field.getAttribute('aria-describedby') ?? '').split(' ').map((id) => document.getElementById(id)),
  ];
  const over = field.closest('[role=dialog] form, main form') ?? document.body;
  const bars = [...document.querySelectorAll('[data-main-nav], [data-action-bar]')]
    .map((bar) => bar.getBoundingClientRect())
    .filter(({ height, bottom }) => height > 0 && bottom >= window.innerHeight - 1);
  const end = Math.min(window.innerHeight, window.visualViewport?.height ?? Infinity, ...bars.map(({ top }) => top));
  const out = parts
    .filter((part) => part !== null)
    .map((part) => part.getBoundingClientRect())
    .filter(
      ({ top, bottom, left }) =>
        top < 0 ||
        bottom > end + 1 ||
        // Nothing that sticks lies over it.
        [top + 2, bottom - 2].some((y) => !over.contains(document.elementFromPoint(left + 4, y))),
    );
  return out.length === 0
    ? 'seen'
    : `${field.outerHTML.slice(0, 80)}: ${out.map(({ top, bottom }) => `${Math.round(top)} to ${Math.round(bottom)}`).join()} of ${Math.round(end)}`;
}

/** The addresses of this page's visible links and the words of its visible buttons that go back. */
export function waysUp(): { links: string[]; buttons: string[] } {
  const isSeen = (part: Element) =>
    part.checkVisibility({ visibilityProperty: true }) && part.getBoundingClientRect().height > 0;
  return {
    links: [...document.querySelectorAll<HTMLAnchorElement>('header a, nav a, main a')]
      .filter(isSeen)
      .map(({ pathname }) => pathname),
    buttons: [...document.querySelectorAll('main button')]
      .filter(isSeen)
      .map((button) => button.textContent?.trim() ?? '')
      .filter((words) => /^(Back|Cancel)/.test(words)),
  };
}
