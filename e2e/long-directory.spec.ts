import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { openPostgres } from '../sync-server/db/open-postgres.ts';
import { seedMany } from '../sync-server/db/seed/seed-many.ts';
import { cloneTemplate, startTestPostgres, type TestPostgres } from '../sync-server/testing/test-postgres.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { long } from './test-options.ts';
import { test } from './shared-server.ts';
import { useContext } from './use-context.ts';

/*
 * A directory that is longer than its document begins with, and comes in pieces: what a reader has before them while
 * the app takes it over, on a line that is slow, and on one that is gone.
 */

let postgres: TestPostgres;
let server: RunningServer;
let browser: Browser;

test.beforeAll(async () => {
  postgres = await startTestPostgres();
  const { url } = await cloneTemplate(postgres.url);
  const database = await openPostgres({ url });
  await seedMany(database, { jobs: 1, tradies: 1_500 });
  await database.close();
  server = await openServer({ DATABASE_URL: url });
  browser = await chromium.launch(launchOptions());
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
  await postgres?.stop();
});

const onPhone = (use: (page: Page) => Promise<void>) =>
  useContext(browser, { hasTouch: true, isMobile: true, serviceWorkers: 'block' }, async (context) => {
    const page = await context.newPage();
    await page.goto(`${server.url}/find-tradies`);
    await use(page);
  });

/** Runs in the page: notes in each frame which business is at the reader's eye, and how many of them are said to be. */
function watchReader(): void {
  const seen = new Set<string>();
  Object.assign(window, { seen });
  const look = () => {
    const card = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('article');
    seen.add(card?.querySelector('h2')?.textContent ?? 'none');
    seen.add(document.querySelector('[aria-setsize]')?.getAttribute('aria-setsize') ?? 'none');
    requestAnimationFrame(look);
  };
  look();
}
const whatWasSeen = (page: Page) => page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);

/** Scrolls until the middle of the window is within a card. */
async function scrollToACard(page: Page): Promise<string> {
  await page.evaluate(() => {
    const card = document.querySelectorAll('article')[12]!.getBoundingClientRect();
    window.scrollTo(0, Math.round(window.scrollY + card.top + card.height / 2 - innerHeight / 2));
  });
  return page.locator('article h2').nth(12).innerText();
}

test(
  'a reader of the directory keeps their place and their card while the app takes it over and the rest comes, piece by piece',
  long,
  () =>
    onPhone(async (page) => {
      const total = /^[\d,]+/.exec(await page.getByText(/^[\d,]+ tradies$/).innerText())?.[0].replace(',', '') ?? '';
      await page.route('**/api/sync/shelves/directory/**', async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 400));
        await route.continue();
      });
      const card = await scrollToACard(page);
      await page.evaluate(watchReader);
      const focused = page.locator('article a').nth(12);
      await focused.focus();
      await page.getByText(/^Updated /).waitFor({ state: 'attached' });
      await expect(page.getByText('Fetching the rest of them')).toHaveCount(0);
      await page.waitForTimeout(300);
      expect((await whatWasSeen(page)).toSorted()).toEqual([card, total].toSorted());
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(card);
    }),
);

test(
  'a reader who has no more signal when the app comes keeps the tradies that stand there, and is told of the others',
  long,
  () =>
    onPhone(async (page) => {
      await page.waitForFunction(() => document.querySelectorAll('link[rel=modulepreload]').length > 5);
      await page.waitForLoadState('networkidle');
      const count = await page.getByRole('article').count();
      await page.context().setOffline(true);
      const card = await scrollToACard(page);
      await page.evaluate(watchReader);
      await page.getByText('The rest of the list comes the first time you have signal.').waitFor();
      // Until the app has read that nothing is on this phone.
      await page.waitForTimeout(1_500);
      expect(await page.getByRole('article').count()).toBe(count);
      expect(await whatWasSeen(page)).toContain(card);
      expect(await whatWasSeen(page)).not.toContain('none');
    }),
);

test('filters that were asked for before the app was there are open once, and the keyboard goes on in them', long, () =>
  onPhone(async (page) => {
    await page.getByRole('link', { name: 'Filters' }).focus();
    await page.keyboard.press('Enter');
    const filters = page.getByRole('button', { name: 'Filters', exact: true });
    await page.getByLabel('Business name').waitFor();
    await expect(filters).toBeFocused();
    expect(new URL(page.url()).hash).toBe('');
    await page.reload();
    await page.keyboard.press('Tab');
    await page.getByText(/^Updated /).waitFor({ state: 'attached' });
    await expect(filters).toHaveAttribute('aria-expanded', 'false');
  }),
);

test('filters that could not be fetched are asked for again by “Try again” and by the next tap', long, async () => {
  for (const again of ['Try again', 'Filters'])
    await onPhone(async (page) => {
      await page.route(/\/assets\/create-app-[^/]+\.js$/, (route) => route.abort());
      await page.reload();
      await page.getByRole('link', { name: 'Filters' }).tap();
      await page.getByText('Dwang could not be fetched. Check your signal and try again.').waitFor();
      await page.unrouteAll();
      await page.getByRole('link', { name: again }).tap();
      await expect(page.getByLabel('Business name')).toBeVisible();
    });
});

test(
  'a visitor whose server does not answer is told so instead of waiting, and has the tradies once it does',
  long,
  () =>
    onPhone(async (page) => {
      await page.route('**/api/**', (route) => route.abort('connectionrefused'));
      await page.goto(`${server.url}/find-tradies?sort=z-a`);
      await page.getByText('The list of tradies comes onto this phone the first time Dwang can be reached.').waitFor();
      await page.getByRole('status').getByText("Can't reach Dwang, trying again.").waitFor();
      await page.unrouteAll();
      await page.getByRole('article').first().waitFor({ timeout: 60_000 });
      await expect(page.getByText("Can't reach Dwang, trying again.")).toBeHidden();
    }),
);
