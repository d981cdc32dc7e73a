import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from '@playwright/test';
import { untilStill, type Evaluates } from './until-still.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What depends on colours alone; the other rules give the same result in both themes. */
const colourRules = ['color-contrast', 'link-in-text-block'];
const everyRule: RunOptions = { rules: { 'target-size': { enabled: true } } };

/**
 * What axe finds wrong with the page, a line each. What it finds while something still fades or moves does not count:
 * it runs again once that is over. React Aria's announcer is left out: it holds its text for some seconds after the
 * announced part has gone.
 */
export async function axeFinds(page: Evaluates, which: 'everything' | 'colours'): Promise<string[]> {
  // The content security policy allows no script of ours; the debugger's evaluation is not subject to it.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const options: RunOptions = which === 'everything' ? everyRule : { runOnly: { type: 'rule', values: colourRules } };
  for (let looks = 1; ; looks += 1) {
    const { violations, hasMoved } = await look(page, options);
    if (violations.length === 0 || !hasMoved || looks === maxLooks) {
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, failureSummary = '' }) => `${id}: ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`,
        ),
      );
    }
    await untilStill(page);
  }
}

/** What does not stop moving for that long is a defect too. */
const maxLooks = 5;

function look(
  page: Evaluates,
  options: RunOptions,
): Promise<{ violations: AxeResults['violations']; hasMoved: boolean }> {
  return page.evaluate(async (how) => {
    let moves = 0;
    const count = () => (moves += 1);
    const starts = ['transitionrun', 'animationstart'];
    starts.forEach((name) => document.addEventListener(name, count));
    const { violations } = await (
      window as unknown as { axe: { run(context: object, options: object): Promise<AxeResults> } }
    ).axe.run({ exclude: ['[data-live-announcer]'] }, { ...how, resultTypes: ['violations'], preload: false });
    // The page is notified of a start with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    starts.forEach((name) => document.removeEventListener(name, count));
    return { violations, hasMoved: moves > 0 };
  }, options);
}

/** How much wider than the window the page is, in CSS pixels, and what overflows. */
export function sticksOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const over = document.documentElement.scrollWidth - window.innerWidth;
    if (over <= 0) return [];
    const guilty = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > window.innerWidth + 0.5,
    );
    return [
      `${over} px too wide: ${guilty
        .slice(-3)
        .map(
          (element) => `${element.tagName.toLowerCase()}.${element.className} “${element.textContent?.slice(0, 30)}”`,
        )
        .join(', ')}`,
    ];
  });
}

/** Buttons, links outside of running text and fields of the page that are lower than a gloved thumb needs (48 px). */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const wanted = 48;
    const selector =
      'main button, main select, main textarea, main input, main a, [role=dialog] button, [role=dialog] input, [role=dialog] a, [role=menuitem]';
    const isInText = (element: Element) => element.matches('a') && getComputedStyle(element).display === 'inline';
    const isSeen = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    return [...document.querySelectorAll(selector)].flatMap((element) => {
      if (isInText(element)) return [];
      // Ticks, radios and file inputs are pressed by the whole of their label, the slider by its whole track.
      const target = element.matches('input[type=range]')
        ? element.closest('[role=group] > div:has(input[type=range])')
        : element.matches('input[type=checkbox], input[type=radio], input[type=file]')
          ? element.closest('label')
          : element;
      if (target === null) return [`no label to press: ${element.outerHTML.slice(0, 80)}`];
      const { width, height } = target.getBoundingClientRect();
      // For screen readers only: a part of one pixel.
      const isSpokenOnly = [target, target.parentElement].some(
        (part) => (part?.getBoundingClientRect().width ?? 0) <= 1,
      );
      // What is inside a field's border can be pressed on the border too.
      const { borderTopWidth, borderBottomWidth } = getComputedStyle(target.parentElement ?? target);
      const least = wanted - 0.5 - Number.parseFloat(borderTopWidth) - Number.parseFloat(borderBottomWidth);
      if (!isSeen(target) || isSpokenOnly || height >= least) return [];
      return [
        `${Math.round(width)} by ${Math.round(height)} px: ${element.tagName.toLowerCase()} “${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 30)}” ${element.className}`,
      ];
    });
  });
}

/** What still moves with reduced motion; a change of colour or opacity is no motion. */
export function unaskedMotion(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter(
        (animation) =>
          animation.playState === 'running' && Number(animation.effect?.getComputedTiming().duration ?? 0) > 1,
      )
      .filter(
        ({ effect }) =>
          effect instanceof KeyframeEffect &&
          effect
            .getKeyframes()
            .some((frame) => ['transform', 'translate', 'rotate', 'scale'].some((name) => name in frame)),
      )
      .map(
        (animation) =>
          `${(animation as CSSAnimation).animationName} on ${((animation.effect as KeyframeEffect | null)?.target as Element | null)?.className ?? '?'}`,
      ),
  );
}
