import { chromium, expect, type Browser, type Locator, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { withoutWorker, long } from './test-options.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

test.use(withoutWorker);

/* What scrolls on Find Jobs: on a desktop the list and the job beside it, elsewhere the page. */

let server: RunningServer;
let browser: Browser;
let page: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch(launchOptions());
  page = await browser.newPage({ viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' });
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const open = async () => {
  await page.goto(`${server.url}/find-jobs`);
  await page.getByRole('article').first().waitFor();
};
const pane = () => page.getByRole('region', { name: 'Job', exact: true });
/** What the list of jobs scrolls in. */
const results = () => page.locator('[data-scroll-restoration-id=jobs]');

/** The title of the first job that is whole in sight. */
const firstInSight = () =>
  page.evaluate(() => {
    const top = document.querySelector('[data-scroll-restoration-id=jobs]')?.getBoundingClientRect().top ?? 0;
    const card = [...document.querySelectorAll('main article')].find(
      (part) => part.getBoundingClientRect().top >= top - 1,
    );
    return card?.querySelector('a')?.innerText ?? '';
  });

/** Runs in the page: whatever scrolls in a window that scrolls itself. */
function boxesInScrollPage(): string[] {
  const { scrollHeight } = document.documentElement;
  const boxes = [...document.querySelectorAll('main *')].filter(
    (part) => /auto|scroll/.test(getComputedStyle(part).overflowY) && part.scrollHeight > part.clientHeight + 1,
  );
  return scrollHeight > window.innerHeight ? boxes.map(({ className }) => className) : [];
}

for (const [where, sizes] of Object.entries({
  'a phone and a tablet': [
    [390, 844],
    [768, 1_024],
  ],
  'desktops, low ones too': [
    [960, 720],
    [1_280, 600],
    [1_280, 800],
    [1_600, 1_000],
  ],
} as const))
  test(`no box scrolls inside a page that scrolls, on ${where}: the list, a job beside it, and the map`, async () => {
    const mustNotScroll = async () => {
      for (const [width, height] of sizes) {
        await page.setViewportSize({ width, height });
        await expect.poll(() => page.evaluate(boxesInScrollPage), `${width} x ${height}`).toEqual([]);
      }
    };
    const [width, height] = sizes[0];
    await page.setViewportSize({ width, height });
    await open();
    await mustNotScroll();
    await page.getByRole('button', { name: 'Map' }).click();
    await page.getByRole('region', { name: 'Map of jobs' }).waitFor();
    await mustNotScroll();
    await page.getByRole('button', { name: 'Map' }).click();
    await page.getByRole('article').first().getByRole('link').click();
    await page.getByRole('button', { name: 'Express Interest' }).waitFor();
    await mustNotScroll();
  });

test('on a desktop the wheel moves the one it is over: the list, or the job beside it, and the page never', async () => {
  await page.setViewportSize({ width: 1_280, height: 740 });
  await open();
  await page.getByRole('article').filter({ hasText: 'Leaking shower' }).getByRole('link').click();
  await pane().getByRole('button', { name: 'Express Interest' }).waitFor();
  const read = pane().locator(':scope > :first-child');
  const topOf = (part: Locator) => part.evaluate((element) => element.scrollTop);
  await page.mouse.move(300, 500);
  await page.mouse.wheel(0, 400);
  await expect.poll(() => topOf(results())).toBe(400);
  await page.mouse.move(1_000, 350);
  await page.mouse.wheel(0, 60);
  await expect.poll(() => topOf(read)).toBeGreaterThan(20);
  expect(await topOf(results())).toBe(400);
  expect(await topOf(page.locator('html'))).toBe(0);
});

test('on a desktop the keys that scroll a page scroll the list, from wherever the focus is; in a field they are its own', async () => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await open();
  const top = () => results().evaluate((part) => part.scrollTop);
  await page.getByRole('heading', { level: 1 }).focus();
  for (const [key, isDown] of [
    ['PageDown', true],
    ['PageUp', false],
    ['Space', true],
    ['Shift+Space', false],
    ['ArrowDown', true],
    ['Home', false],
    ['End', true],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(async () => (await top()) > 0).toBe(isDown);
  }
  // At its end is what is at the foot of every page.
  await expect(page.getByRole('link', { name: 'Terms of use and Privacy policy' })).toBeInViewport();
  await page.keyboard.press('Home');
  await expect.poll(top).toBe(0);
  await page.getByRole('searchbox', { name: 'Search' }).focus();
  await page.keyboard.press('PageDown');
  await page.getByRole('article').first().getByRole('link').focus();
  expect(await top()).toBe(0);
  await page.keyboard.press('PageDown');
  await expect.poll(top).toBeGreaterThan(300);
});

test('on a desktop Back from a job’s own page, and a reload, lead to the place in the list where it stood', async () => {
  await open();
  // By hand, so that what is passed is measured as it is where a person scrolls.
  await page.mouse.move(600, 500);
  for (const down of [300, 300, 300]) await page.mouse.wheel(0, down);
  await expect.poll(() => results().evaluate((part) => part.scrollTop)).toBeGreaterThan(700);
  const card = page.getByRole('article').getByRole('link');
  const inSight = await card.evaluateAll((links) => links.findIndex((link) => link.getBoundingClientRect().top > 300));
  const title = await card.nth(inSight).innerText();
  const place = () => page.getByRole('article').getByRole('link', { name: title }).boundingBox();
  const before = await place();
  await card.nth(inSight).click();
  await pane().getByRole('link', { name: 'Open' }).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.goBack();
  const distance = async () => Math.abs(((await place())?.y ?? 0) - before!.y);
  // Rows that were only estimated when it was opened may be a pixel or two higher.
  await expect.poll(distance).toBeLessThan(4);
  await page.reload();
  // What is above it has not been measured again.
  await expect.poll(distance).toBeLessThan(76);
});

test('a window made narrower at the top of the list is at the top of the page', long, async () => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await open();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(page.getByRole('article').first()).toBeInViewport({ ratio: 1 });
  await expect(page.locator('header').first()).toBeInViewport({ ratio: 1 });
});

test('a tablet that is turned, and turned back, and a window made lower, keep the place in the list', async () => {
  await page.setViewportSize({ width: 1_024, height: 768 });
  await open();
  await page.mouse.move(500, 500);
  for (const down of [300, 300, 300]) await page.mouse.wheel(0, down);
  await expect.poll(() => results().evaluate((part) => part.scrollTop)).toBeGreaterThan(700);
  // Of two in a row on the tablet upright either may be the first.
  const firsts = await page
    .getByRole('article')
    .getByRole('link')
    .evaluateAll((links) =>
      links
        .filter((link) => link.getBoundingClientRect().top > 190)
        .slice(0, 3)
        .map((link) => link.textContent),
    );
  const isInSight = () =>
    page
      .getByRole('article')
      .getByRole('link')
      .evaluateAll(
        (links, titles) =>
          links.some((link) => {
            const { top, bottom } = link.getBoundingClientRect();
            return titles.includes(link.textContent) && top > 0 && bottom < window.innerHeight;
          }),
        firsts,
      );
  for (const [width, height] of [
    [768, 1_024],
    [1_024, 768],
    [1_024, 650],
    [1_024, 768],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect.poll(isInSight, `${width} x ${height}`).toBe(true);
  }
});

for (const text of ['large', 'largest'])
  test(`beside the list "Express Interest" is whole where the text is ${text}`, async () => {
    await page.setViewportSize({ width: 960, height: 800 });
    await page.goto(`${server.url}/find-jobs?q=shower`);
    await page.getByRole('article').first().waitFor();
    await page.evaluate((size) => void (document.documentElement.dataset['text'] = size), text);
    await page.getByRole('article').first().getByRole('link').click();
    const express = pane().getByRole('button', { name: 'Express Interest' });
    const note = pane().getByLabel(/^Note to the homeowner/);
    await express.waitFor();
    for (const width of [960, 1_024, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      await expect(express, `${width} px wide`).toBeInViewport({ ratio: 1 });
      await expect(pane().getByRole('button', { name: 'Not Interested' })).toBeInViewport({ ratio: 1 });
      const [words, button] = await Promise.all([note.boundingBox(), express.boundingBox()]);
      expect(words!.y + words!.height, `${width} px wide`).toBeLessThanOrEqual(button!.y);
    }
  });

test(
  'after Escape, and after scrolling alone, j and k go on where one is, and not at the first job',
  long,
  async () => {
    await page.setViewportSize({ width: 1_280, height: 800 });
    await open();
    const heading = () => pane().getByRole('heading').first();
    const titles = await page.getByRole('article').getByRole('link').allInnerTexts();
    await page.getByRole('article').nth(2).getByRole('link').click();
    await expect(heading()).toHaveText(titles[2] ?? '');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('article').nth(2).getByRole('link')).toBeFocused();
    await page.keyboard.press('j');
    await expect(heading()).toHaveText(titles[3] ?? '');
    await page.keyboard.press('Escape');
    await page.keyboard.press('k');
    await expect(heading()).toHaveText(titles[2] ?? '');
    for (const key of ['j', 'k']) {
      await open();
      await results().evaluate((part) => part.scrollTo(0, 2_000));
      await expect.poll(firstInSight).not.toBe('');
      await expect.poll(firstInSight).not.toBe(titles[0]);
      const first = await firstInSight();
      await page.keyboard.press(key);
      await expect(heading()).toHaveText(first);
    }
  },
);

/** Runs in the page: the urgency badges whose words take a second line. */
const brokenBadges = () =>
  [...document.querySelectorAll<HTMLElement>('main article span, section[aria-label=Job] span')]
    .filter((part) => part.children.length === 1 && /^(Urgent|Soon) - /.test(part.innerText))
    .filter((part) => part.getBoundingClientRect().height > 32)
    .map((part) => part.innerText);

test(
  'the urgency is on one line, on a card that says Interest Expressed on a wide tablet too, and beside the list',
  long,
  async () => {
    await page.setViewportSize({ width: 900, height: 1_000 });
    await page.goto(`${server.url}/find-jobs?q=ranchslider`);
    await page.getByRole('article').first().getByRole('link').click();
    await page.getByRole('button', { name: 'Express Interest' }).click();
    await page.getByText('You have expressed interest in this job').waitFor();
    await page.goto(`${server.url}/find-jobs?q=ranchslider`);
    await page.getByRole('article').first().getByText('Interest Expressed').waitFor();
    expect(await page.getByRole('article').first().innerText()).toContain('Soon - Within 2 weeks');
    expect(await page.evaluate(brokenBadges)).toEqual([]);
    for (const width of [960, 1_280]) {
      await page.setViewportSize({ width, height: 650 });
      await page.getByRole('article').first().getByRole('link').click();
      await pane().getByText('Soon - Within 2 weeks').waitFor();
      expect(await page.evaluate(brokenBadges)).toEqual([]);
    }
  },
);

test('at twice the text size the first words of a card have its width on a phone', long, async () => {
  await page.setViewportSize({ width: 390, height: 800 });
  await open();
  await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
  const narrowest = () =>
    page.locator('main article').evaluateAll((cards) =>
      Math.min(
        // None at all counts as none: the list may be drawn anew for the larger text.
        cards.length,
        ...cards.map((card) => {
          const first = card.querySelector('time')?.parentElement;
          return (first?.getBoundingClientRect().width ?? 0) / card.getBoundingClientRect().width;
        }),
      ),
    );
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(narrowest, `${width} px wide`).toBeGreaterThan(0.5);
  }
});
