import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { chooseTown, demo, signIn } from './person.ts';
import { long } from './test-options.ts';
import { test } from './shared-server.ts';

/* What one sees who looks closely: baselines, the dots of letters, cards beside each other, and a new job. */

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

async function openAs(name: string, width: number): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 844 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(server.url);
  await signIn(page, demo(name));
  await page.getByRole('article').first().waitFor();
  return page;
}

/** Runs in the page: how far apart the baselines of a job's trade and of its age are, for each job. */
function betweenBaselines(): number[] {
  const baseline = (words: Element) => {
    const mark = document.createElement('span');
    mark.style.display = 'inline-block';
    words.append(mark);
    const { bottom } = mark.getBoundingClientRect();
    mark.remove();
    return bottom;
  };
  // Beside each other: a long trade has its age under it.
  const lines = [...document.querySelectorAll('main article p:has(> time)')].filter(
    ({ children: [trade, age] }) => age!.getBoundingClientRect().top < trade!.getBoundingClientRect().bottom - 8,
  );
  return lines.map(({ children: [trade, age] }) => Math.abs(baseline(trade!) - baseline(age!)));
}

test('the trade of a job and its age stand on one baseline', long, async () => {
  const page = await openAs('tradie', 390);
  for (const width of [390, 1_280]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${server.url}/find-jobs`);
    await page.getByRole('article').first().waitFor();
    expect(Math.max(...(await page.evaluate(betweenBaselines)))).toBeLessThan(0.6);
  }
  await page.context().close();
});

/** Runs in the page: the lightest row between the dot and the stem of an i as badges are set, 0 black to 255 white. */
async function lightUnderDot(): Promise<number> {
  const badge = [...document.querySelectorAll('main article [data-tone]')].find((one) => one.textContent !== '')!;
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(badge);
  await document.fonts.load(`${fontWeight} ${fontSize} 'Barlow Semi Condensed'`);
  const sheet = document.createElement('canvas');
  [sheet.width, sheet.height] = [30, 40];
  const pen = sheet.getContext('2d')!;
  pen.fillStyle = 'white';
  pen.fillRect(0, 0, 30, 40);
  pen.fillStyle = 'black';
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  pen.fillText('i', 10, 30);
  const { data } = pen.getImageData(0, 0, 30, 40);
  const rows = Array.from({ length: 40 }, (_, y) =>
    Math.min(...Array.from({ length: 30 }, (_, x) => data[(y * 30 + x) * 4]!)),
  );
  const inked = rows.flatMap((light, y) => (light < 128 ? [y] : []));
  return Math.max(...rows.slice(inked[0], inked.at(-1)));
}

test('the dot of an i in a badge is seen on a screen of one pixel per pixel', long, async () => {
  const page = await openAs('tradie', 390);
  expect(await page.evaluate(lightUnderDot)).toBeGreaterThan(128);
  await page.context().close();
});

test(
  'the three ways of a tradie’s dashboard are in one row on the narrowest phone, and one below the other with large text',
  long,
  async () => {
    const page = await openAs('tradie', 320);
    const ways = page.locator('main ul:has(a[href="/post-job"])').first().getByRole('listitem');
    const places = (side: 'top' | 'left') =>
      ways.evaluateAll((all, edge) => new Set(all.map((way) => way.getBoundingClientRect()[edge])).size, side);
    expect(await ways.count()).toBe(3);
    expect([await places('top'), await places('left')]).toEqual([1, 3]);
    await page.evaluate(() => void (document.documentElement.style.fontSize = '200%'));
    await expect.poll(async () => [await places('top'), await places('left')]).toEqual([3, 1]);
    await page.context().close();
  },
);

test(
  'on a desktop the times of a reminder are all seen beside “Saved for later”, where the page has the room',
  long,
  async () => {
    const page = await openAs('tradie', 1_280);
    await page.goto(`${server.url}/find-jobs`);
    const job = page.locator('article a[href^="/job/"]').first();
    await page.goto(server.url + (await job.getAttribute('href')));
    await page.getByRole('button', { name: 'Save for later' }).click();
    await page.getByRole('button', { name: 'Choose a time' }).waitFor();
    const chips = page.getByRole('button', { name: 'Saved for later' }).locator('..');
    // Until it is sent, the word for that stands there too.
    await expect.poll(() => chips.evaluate((row) => row.scrollWidth - row.clientWidth)).toBe(0);
    await page.context().close();
  },
);

test('the bar of a list that is still coming is as wide as the bar of the page', long, async () => {
  const context = await browser.newContext({ viewport: { width: 1_600, height: 900 }, serviceWorkers: 'block' });
  const page = await context.newPage();
  await context.route('**/api/sync/shelves/**', () => {});
  // The whole directory's document begins with tradies.
  await page.goto(`${server.url}/find-tradies?sort=z-a`);
  await page.getByText('Fetching tradies').first().waitFor();
  // The app takes over from the document meanwhile: the words it replaces have no place.
  await expect
    .poll(async () => {
      const [bar, words] = await Promise.all(
        ['header a', 'main h1'].map((part) => page.locator(part).first().boundingBox()),
      );
      return words?.x !== undefined && bar?.x === words.x;
    })
    .toBe(true);
  await context.close();
});

/** Runs in the page: how high the rows of jobs are, in whole pixels, and where their urgency begins. */
function rowsNow(): { heights: number[]; urgencies: number[] } {
  const rows = [...document.querySelectorAll('main li:has(> article)')];
  const left = (row: Element) => row.querySelector('[data-tone]')!.getBoundingClientRect().left;
  return {
    heights: rows.map((row) => Math.round(row.getBoundingClientRect().height)),
    urgencies: [...new Set(rows.map((row) => Math.round(left(row))))],
  };
}

test('a job that was just posted on a phone is in the window and has the focus; on a desktop its row is as the others', async () => {
  const page = await openAs('homeowner', 390);
  await page.goto(`${server.url}/post-job`);
  await page.getByLabel('Title').fill('Rehang the barn door');
  await page.getByLabel('Description').fill('It drags on the concrete.');
  await chooseTown(page, /town/i, 'winton');
  await page.getByRole('radio', { name: 'Slow - No rush' }).check({ force: true });
  await page.getByLabel('Category').selectOption('builder');
  await page.getByRole('button', { name: 'Post Job' }).click();
  const job = page.getByRole('link', { name: 'Rehang the barn door' });
  await expect(job).toBeFocused();
  const card = page.getByRole('article').filter({ has: job });
  await expect(card).toBeInViewport({ ratio: 1 });
  const tabs = page.getByRole('navigation').filter({ hasText: 'My jobs' });
  const [row, foot] = await Promise.all([card.boundingBox(), tabs.boundingBox()]);
  // What stands above it may settle by some pixels after it was brought there; its last line keeps its room.
  expect(row!.y + row!.height).toBeLessThanOrEqual(foot!.y + 8);
  await page.setViewportSize({ width: 1_280, height: 800 });
  await page.goto(`${server.url}/dashboard`);
  await job.waitFor();
  await expect(card.getByText('No budget given')).toBeVisible();
  const { heights, urgencies } = await page.evaluate(rowsNow);
  expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(2);
  expect(urgencies).toHaveLength(1);
  await page.context().close();
});

test(
  'the line on the connection has room above and below its words, also where they take three lines',
  long,
  async () => {
    const page = await openAs('tradie', 320);
    await page.goto(`${server.url}/find-jobs`);
    const open = page.getByRole('article').filter({ hasNotText: 'Interest Expressed' }).first();
    await open.getByRole('link').first().click();
    await page.getByRole('button', { name: 'Express Interest' }).waitFor();
    await page.context().setOffline(true);
    await page.getByText(/^Offline\./).waitFor();
    await page.getByRole('button', { name: 'Express Interest' }).click();
    await page.getByRole('link', { name: 'Dashboard' }).first().click();
    const words = page.getByRole('region', { name: 'Connection' }).getByText(/1 change waiting/);
    await words.waitFor();
    const [least, most] = await words.evaluate((part) => {
      const [inner, outer] = [part.getBoundingClientRect(), part.closest('section')!.getBoundingClientRect()];
      const room = [inner.top - outer.top, outer.bottom - inner.bottom];
      return [Math.min(...room), Math.max(...room)];
    });
    expect(least).toBeGreaterThan(5);
    expect(most! - least!).toBeLessThan(3);
    await page.context().close();
  },
);

test('beside the list, the job that is open is what is printed', long, async () => {
  const page = await openAs('tradie', 1_280);
  await page.goto(`${server.url}/find-jobs`);
  await page.getByRole('article').first().waitFor();
  await page.keyboard.press('j');
  await page.getByRole('region', { name: 'Job', exact: true }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('article').first()).toBeHidden();
  await expect(page.getByRole('region', { name: 'Job', exact: true }).getByRole('heading').first()).toBeVisible();
  // Nothing of the list that it was chosen from, and no keys: paper has none.
  await expect(page.getByRole('heading', { name: 'Find Jobs' })).toBeHidden();
  await expect(page.getByText('go through the list')).toBeHidden();
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1_600);
  // A sheet is narrower than the window.
  await page.setViewportSize({ width: 718, height: 1_000 });
  await expect(page.getByRole('region', { name: 'Job', exact: true }).getByRole('heading').first()).toBeVisible();
  await expect(page.getByRole('article').first()).toBeHidden();
  await page.context().close();
});

test('a page that lies there says that the signal is gone when it goes, and not a minute later', async () => {
  const page = await openAs('homeowner', 390);
  await page.goto(`${server.url}/post-job`);
  await page.getByRole('heading', { level: 1, name: 'Post a Job' }).waitFor();
  await page.context().setOffline(true);
  // A phone that is emulated may go on believing that it has signal.
  const words = page.getByText(/^Offline\.|Dwang can't be reached/);
  await expect(words.first()).toBeVisible({ timeout: 30_000 });
  await page.context().close();
});
