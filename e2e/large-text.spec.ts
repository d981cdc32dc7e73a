import { chromium, expect, test, type Browser, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';

/* A phone whose person reads with text twice as large. */

let server: RunningServer;
let browser: Browser;

test.beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch(launchOptions());
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

/** Runs in the page: the words of the cards that begin on one line and end on another. */
function brokenWords(cards: Element[]): string[] {
  return cards.flatMap((card) => {
    const found: string[] = [];
    const texts = document.createTreeWalker(card, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode())
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}]{2,}/gu)) {
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
