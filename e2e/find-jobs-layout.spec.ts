import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { withoutWorker, long } from './test-options.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

test.use(withoutWorker);

/*
 * How much of Find Jobs one sees at once, on a phone and on a desktop; and on a desktop the job beside the list, by
 * mouse and by keys.
 */

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

/** Cards that lie wholly in the window, under the header and above what is at its foot. */
const wholeCards = () =>
  page.evaluate(() => {
    const nav = document.querySelector('nav[aria-label=Main]')?.getBoundingClientRect();
    const foot = nav !== undefined && nav.top > 200 ? nav.top : window.innerHeight;
    return [...document.querySelectorAll('main article')].filter((card) => {
      const { top, bottom } = card.getBoundingClientRect();
      return top >= 60 && bottom <= foot + 1;
    }).length;
  });
const open = async () => {
  await page.goto(`${server.url}/find-jobs`);
  await page.getByRole('article').first().waitFor();
};
/** Runs in the page: how many lines a card's words may take. */
function linesOfDescription(): string[] {
  const lines = [...document.querySelectorAll('main article p')].map(
    (words) => getComputedStyle(words).webkitLineClamp,
  );
  return [...new Set(lines.filter((most) => most !== 'none'))];
}
const pane = () => page.getByRole('region', { name: 'Job', exact: true });
/** What the list of jobs scrolls in. */
const results = () => page.locator('[data-scroll-restoration-id=jobs]');
const chosen = () => page.locator('article a[aria-current=true]');
const focused = () => page.evaluate(() => document.activeElement?.textContent);

test('a phone shows three whole jobs, a desktop eight', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await open();
  await expect.poll(wholeCards).toBeGreaterThanOrEqual(3);
  await page.setViewportSize({ width: 1_280, height: 800 });
  await open();
  await expect.poll(wholeCards).toBeGreaterThanOrEqual(8);
  expect(await page.evaluate(linesOfDescription)).toEqual(['2']);
});

test('a tablet has two jobs beside each other, as many as on two phones', long, async () => {
  await page.setViewportSize({ width: 768, height: 1_024 });
  await open();
  await expect.poll(wholeCards).toBeGreaterThanOrEqual(8);
  const lefts = await page
    .getByRole('article')
    .evaluateAll((cards) => cards.slice(0, 2).map((card) => card.getBoundingClientRect().left));
  expect(lefts.map(Math.round)).toEqual([0, 385]);
});

test('on a desktop three chips are whole beside the button of the map', long, async () => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await open();
  await page.getByRole('button', { name: 'Save the search My trades near me' }).click();
  await page.getByRole('button', { name: 'My trades near me', pressed: true }).waitFor();
  await page.getByRole('article').getByRole('button').first().click();
  await page.getByRole('button', { name: 'Saved for later (1)' }).waitFor();
  const edit = page.getByRole('button', { name: 'Edit searches' });
  const map = page.getByRole('button', { name: 'Map' });
  const [end, begin] = await Promise.all([
    edit.evaluate((part) => part.getBoundingClientRect().right),
    map.evaluate((part) => part.getBoundingClientRect().left),
  ]);
  expect(end).toBeLessThan(begin - 12);
  await page.getByRole('button', { name: 'My trades near me', pressed: true }).click();
});

test('a job opens beside the list, and the deciding buttons are in the window; its own page is one press away', async () => {
  const title = await page.getByRole('article').nth(1).getByRole('link').innerText();
  await page.getByRole('article').nth(1).getByRole('link').click();
  await pane().getByRole('heading', { name: title }).waitFor();
  await expect.poll(focused).toBe(title);
  expect(await chosen().innerText()).toBe(title);
  const express = await pane().getByRole('button', { name: 'Express Interest' }).boundingBox();
  expect((express?.y ?? 0) + (express?.height ?? 0)).toBeLessThanOrEqual(800);
  await results().evaluate((part) => part.scrollTo(0, 3_000));
  await expect(pane().getByRole('heading', { name: title })).toBeInViewport();
  await results().evaluate((part) => part.scrollTo(0, 0));
  // As tall as the offer of alerts, which moves all below it down.
  const main = page.getByRole('main');
  await main.evaluate((part) => void (part.style.paddingBlockStart = '140px'));
  await expect(pane().getByRole('button', { name: 'Express Interest' })).toBeInViewport({ ratio: 1 });
  await main.evaluate((part) => void (part.style.paddingBlockStart = ''));
  await page.reload();
  await pane().getByRole('heading', { name: title }).waitFor();
  await pane().getByRole('link', { name: 'Open' }).click();
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.goBack();
  await pane().getByRole('heading', { name: title }).waitFor();
});

test('j and k go through the list, Escape closes the job, Enter opens its page, and / searches; typed into a field they are letters', async () => {
  await open();
  const titles = await page.getByRole('article').getByRole('link').allInnerTexts();
  for (const [key, at] of [
    ['j', 0],
    ['j', 1],
    ['j', 2],
    ['k', 1],
  ] as const) {
    await page.keyboard.press(key);
    await expect.poll(focused).toBe(titles[at]);
  }
  await page.keyboard.press('Escape');
  await expect(chosen()).toHaveCount(0);
  // One goes on from the card of the job that was open.
  await expect.poll(focused).toBe(titles[1]);
  await page.keyboard.press('/');
  await page.keyboard.type('jk');
  expect(await page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('jk');
  // The first empties the field, the second leaves it.
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('article').getByRole('link').allInnerTexts()).toContain(titles[0]);
  await page.keyboard.press('Escape');
  await expect.poll(focused).toBe(titles[0]);
  await page.keyboard.press('j');
  await expect.poll(focused).toBe(titles[1]);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: titles[1] ?? '' }).waitFor();
});

test('interest is expressed beside the list, and its card says so', async () => {
  await page.goto(`${server.url}/find-jobs?q=ranchslider`);
  await page.getByRole('article').getByRole('link').first().click();
  await pane().getByRole('button', { name: 'Express Interest' }).click();
  await expect(pane().getByText('You have expressed interest in this job')).toBeVisible();
  await expect(page.getByRole('article').first().getByText('Interest Expressed')).toBeVisible();
});

test('a small desktop has the job beside the list too, each with its half', long, async () => {
  await page.setViewportSize({ width: 960, height: 800 });
  await open();
  await page.getByRole('article').nth(1).getByRole('link').click();
  await pane().getByRole('button', { name: 'Close job' }).waitFor();
  const card = await page.getByRole('article').nth(1).boundingBox();
  const beside = await pane().boundingBox();
  expect((card?.x ?? 0) + (card?.width ?? 0)).toBeLessThanOrEqual(beside?.x ?? 0);
});

/** Runs in the page: the words of a job's facts that go on in the next line. */
function brokenWords(): string[] {
  const facts = document.querySelectorAll('section[aria-label=Job] dd, section[aria-label=Job] dt');
  const texts = [...facts].flatMap((fact) => {
    const walker = document.createTreeWalker(fact, NodeFilter.SHOW_TEXT);
    const found: Node[] = [];
    while (walker.nextNode()) found.push(walker.currentNode);
    return found;
  });
  return texts.flatMap((text) =>
    [...(text.textContent ?? '').matchAll(/[^\s-]+/g)]
      .filter(({ index, 0: word }) => {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
      })
      .map(([word]) => word),
  );
}

test('at the largest text no word of what decides is broken beside the list, on a small desktop and a large one', async () => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await open();
  await page.evaluate(() => (document.documentElement.dataset['text'] = 'largest'));
  for (const at of [0, 1, 2, 3]) {
    const card = page.getByRole('article').nth(at).getByRole('link');
    const title = await card.innerText();
    await card.click();
    await pane().getByRole('heading', { name: title }).waitFor();
    for (const width of [960, 1_024, 1_280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.evaluate(brokenWords), `${width} px wide`).toEqual([]);
    }
  }
});

/** The display face is not waited for: a person may see a page without it. */
const faces = { 'in the display face': '', 'in the face in its place': "'Narrowed Arial', 'Narrowed DejaVu'" };

for (const [where, face] of Object.entries(faces))
  test(`at the largest text the budget and the place are seen at once beside the list, above what one decides, ${where}`, async () => {
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.goto(`${server.url}/find-jobs?q=shower`);
    // The app sets the size of the text once, as it starts.
    await page.getByRole('article').first().waitFor();
    await page.evaluate((display) => {
      document.documentElement.dataset['text'] = 'largest';
      if (display !== '') document.documentElement.style.setProperty('--display', display);
    }, face);
    await page.getByRole('article').getByRole('link').first().click();
    const shared = pane().getByText(/^Your business name, email and phone are shared/);
    await shared.waitFor();
    const underFold = async () => {
      const fold = await shared.evaluate((part) => part.getBoundingClientRect().top);
      const place = pane().getByText(/^Mount Roskill, Auckland/);
      return (await place.evaluate((part) => part.getBoundingClientRect().bottom)) - fold;
    };
    // How far it is may come a moment later.
    await expect.poll(underFold).toBeLessThanOrEqual(0);
    await expect(pane().getByRole('button', { name: 'Express Interest' })).toBeInViewport({ ratio: 1 });
    const [note, decide] = await Promise.all(
      [pane().getByLabel(/^Note to the homeowner/), pane().getByRole('button', { name: 'Express Interest' })].map(
        (part) => part.evaluate((element) => element.getBoundingClientRect()),
      ),
    );
    expect(note!.bottom).toBeLessThanOrEqual(decide!.top);
    await page.evaluate(() => void delete document.documentElement.dataset['text']);
  });

/** Runs in the page: the words of this kind that are cut. */
function cutWords(selector: string): string[] {
  return [...document.querySelectorAll<HTMLElement>(selector)]
    .filter((words) => words.scrollWidth > words.clientWidth)
    .map((words) => words.innerText);
}

test('the trade of a job is whole in the list beside the job where the text is large', long, async () => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await open();
  await page.keyboard.press('j');
  await pane().waitFor();
  const trades = 'main article p:has(> time) > span:first-child';
  for (const text of ['large', 'largest']) {
    await page.evaluate((size) => void (document.documentElement.dataset['text'] = size), text);
    expect(await page.locator(trades).count()).toBeGreaterThan(5);
    // The longest of all, beside a long age, ends in dots.
    expect((await page.evaluate(cutWords, trades)).filter(({ length }) => length < 28)).toEqual([]);
  }
  await page.evaluate(() => void delete document.documentElement.dataset['text']);
});

/** Runs in the page: how many marks of "Save for later" lie over a picture. */
function marksOverPictures(): number {
  const boxes = (within: Element, what: string) =>
    [...within.querySelectorAll(what)].map((element) => element.getBoundingClientRect());
  const isOver = (one: DOMRect, other: DOMRect) =>
    one.right > other.left && one.left < other.right && one.bottom > other.top + 1 && one.top < other.bottom;
  return [...document.querySelectorAll('main article')].filter((card) =>
    boxes(card, 'button svg').some((mark) => boxes(card, 'img').some((picture) => isOver(mark, picture))),
  ).length;
}

test('the mark that saves a job for later lies over no picture of it, however wide the window', long, async () => {
  await page.setViewportSize({ width: 320, height: 700 });
  await open();
  for (const [width, height] of [
    [320, 700],
    [390, 844],
    [768, 900],
    [1_280, 800],
    [1_600, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.locator('main article img').first().waitFor();
    await expect.poll(() => page.locator('main article button svg').count()).toBeGreaterThan(2);
    expect(await page.evaluate(marksOverPictures), `${width} px wide`).toBe(0);
  }
});

test('beside the list a photo is whole in the window of a low desktop, above what one decides', long, async () => {
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(`${server.url}/find-jobs?q=shower`);
  await page.getByRole('article').getByRole('link').first().click();
  await pane()
    .getByRole('button', { name: /^Enlarge photo 1/ })
    .waitFor();
  const photo = await pane()
    .getByRole('button', { name: /^Enlarge photo 1/ })
    .boundingBox();
  const note = await pane()
    .getByRole('textbox', { name: /^Note to the homeowner/ })
    .boundingBox();
  const shared = await pane()
    .getByText(/^Your business name, email and phone are shared/)
    .boundingBox();
  expect(photo?.height).toBeGreaterThan(90);
  expect((photo?.y ?? 0) + (photo?.height ?? 0)).toBeLessThanOrEqual(shared?.y ?? 0);
  expect(note?.height).toBeGreaterThanOrEqual(44);
});
