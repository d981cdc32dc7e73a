import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { withoutWorker, long } from './test-options.ts';
import type { RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

test.use(withoutWorker);

/* A phone whose person reads with text twice as large. */

let server: RunningServer;
let browser: Browser;

test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  browser = await chromium.launch(launchOptions());
});
test.afterAll(async () => {
  await browser?.close();
});

/** Runs in the page: the words of the cards that begin on one line and end on another. */
function brokenWords(cards: Element[]): string[] {
  return cards.flatMap((card) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}]{2,}/gu)) {
        // An address has no words, and may be broken anywhere.
        const all = text.textContent ?? '';
        const whole = `${/\S*$/.exec(all.slice(0, index))?.[0]}${/^\S*/.exec(all.slice(index))?.[0]}`;
        if (/@|\w\.\w/.test(whole)) continue;
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 1).map(({ top }) => top);
        if (Math.max(...lines) - Math.min(...lines) > 20) found.push(word);
      }
    return found;
  });
}

async function expectWholeWords(page: Page, cards: string): Promise<void> {
  await page.locator(cards).first().waitFor();
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  await expect.poll(() => page.locator(cards).evaluateAll(brokenWords)).toEqual([]);
}

test('the address at the foot of a page goes on after its @, and not inside a word, on the narrowest phone with text twice as large', async () => {
  const page = await browser.newPage({ viewport: { width: 320, height: 700 } });
  await page.goto(server.url);
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  const linesOf = (link: Element) =>
    [...link.childNodes]
      .filter((part) => part.nodeType === Node.TEXT_NODE)
      .map((part) => {
        const words = document.createRange();
        words.selectNodeContents(part);
        return new Set([...words.getClientRects()].map(({ top }) => Math.round(top))).size;
      });
  const lines = () => page.locator('footer a[href^="mailto:"]').evaluate(linesOf);
  await expect.poll(async () => Math.max(...(await lines()))).toBe(1);
  await page.close();
});

test('text twice as large breaks no word of a job or a tradie on a card', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(server.url);
  await expectWholeWords(page, '#root section li:has(b)');
  await page.goto(`${server.url}/find-tradies`);
  await expectWholeWords(page, 'main article');
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  await page.goto(`${server.url}/find-jobs`);
  await expectWholeWords(page, 'main article:has(a[href^="/job/"])');
  await page.close();
});

const pages: readonly { who: string | undefined; paths: readonly string[] }[] = [
  { who: undefined, paths: ['/', '/legal', '/find-tradies', '/post-job', '/nowhere'] },
  { who: 'homeowner', paths: ['/dashboard', 'job', '/post-job', '/waiting', '/edit-account', '/become-tradie'] },
  { who: 'tradie', paths: ['/dashboard', '/find-jobs', 'job', '/edit-tradie', '/edit-account', '/become-tradie'] },
];

for (const { who, paths } of pages)
  test(
    `text twice as large on the narrowest phone makes no page wider than the window and breaks no word: ${who ?? 'a visitor'}`,
    who === 'homeowner' ? long : {},
    async () => {
      const page = await browser.newPage({ viewport: { width: 320, height: 844 } });
      await page.goto(server.url);
      let job = '';
      if (who !== undefined) {
        await signIn(page, demo(who));
        job = (await page.locator('main a[href^="/job/"]').first().getAttribute('href')) ?? '';
      }
      for (const path of paths) {
        await page.goto(`${server.url}${path === 'job' ? job : path}`);
        await page.locator('main h1').first().waitFor();
        await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
        const seen = async () => ({
          words: await page.locator('body').evaluateAll(brokenWords),
          width: await page.evaluate(() => document.documentElement.scrollWidth),
        });
        await expect.poll(seen, path).toEqual({ words: [], width: 320 });
      }
      await page.close();
    },
  );

test('text twice as large makes a visitor’s header on a phone no higher than two rows of its words', async () => {
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.goto(`${server.url}/find-tradies`);
  await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
  const height = () => page.locator('header').evaluateAll(([bar]) => bar?.getBoundingClientRect().height);
  await expect.poll(height).toBeLessThan(125);
  await page.close();
});

for (const width of [320, 390])
  test(`text twice as large leaves the words of Login / Sign Up off the edges of their button at ${width} px`, async () => {
    const page = await browser.newPage({ viewport: { width, height: 844 } });
    await page.goto(server.url);
    await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
    const button = page.locator('header').getByRole('link', { name: 'Login / Sign Up' });
    const space = () => button.evaluate((shown) => parseFloat(getComputedStyle(shown).paddingInlineStart));
    await expect.poll(space).toBeGreaterThanOrEqual(8);
    await page.close();
  });
