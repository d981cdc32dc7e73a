import { expect, type Locator, type Page } from '@playwright/test';
import { must } from '../shared/lib/must.ts';
import { openPostgres } from '../sync-server/db/open-postgres.ts';
import { seedMany } from '../sync-server/db/seed/seed-many.ts';
import { cloneTemplate, startTestPostgres, type TestPostgres } from '../sync-server/testing/test-postgres.ts';
import { signedIn } from './account.ts';
import { browserPeak, memoryLimits, withMemoryLimit } from './browser-memory.ts';
import { long } from './test-options.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Twenty thousand jobs and five thousand tradies on one phone: a few rows of them in the page, all of them within reach
 * of thumb, keyboard and screen reader, filtered rightly, and found again where they were left.
 */

const pollOptions = { timeout: 60_000 };
/** What a small phone has, in MB. No process of the browser gets more. */
const smallPhone = 2_000;

interface ListedJob {
  id: string;
  title: string;
  description: string;
  categoryId: string;
  locationId: string | null;
  budgetMax: number | null;
}
interface ListedTradie {
  id: string;
  businessName: string;
  locationId: string | null;
  categories: { id: string }[];
}

let postgres: TestPostgres;
let server: RunningServer;
let phone: Device;
let page: Page;
let jobs: ListedJob[];
let tradies: ListedTradie[];

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  postgres = await startTestPostgres();
  const { url } = await cloneTemplate(postgres.url);
  const database = await openPostgres({ url });
  await seedMany(database, { jobs: 20_000, tradies: 5_000 });
  await database.close();
  server = await openServer({ DATABASE_URL: url });
  const { email, password } = demo('tradie');
  const api = await signedIn(server, email, password);
  jobs = await api.get<ListedJob[]>('/api/jobs');
  tradies = await api.get<ListedTradie[]>('/api/tradies');
  phone = await openDevice(server.url, '/', undefined, withMemoryLimit(smallPhone));
  page = phone.page();
  await signIn(page, { email, password });
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
  await postgres?.stop();
});

const rows = () =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('article') });
/** What the page says it has found, as people here write numbers: `20,000 jobs`. */
const found = (many: number, one: string) =>
  page
    .getByRole('status')
    .getByText(new RegExp(`^${many.toLocaleString('en-NZ')} ${one}${many === 1 ? '' : 's'}(, |$)`))
    .waitFor(pollOptions);
const placeOf = async (row: Locator) => [
  Number(await row.getAttribute('aria-posinset')),
  Number(await row.getAttribute('aria-setsize')),
];
/** Where the focus is: the number of its row, and whether it is visible. */
const focused = () =>
  page.evaluate(() => {
    const box = document.activeElement?.getBoundingClientRect();
    const row = document.activeElement?.closest('[aria-posinset]');
    return {
      at: Number(row?.getAttribute('aria-posinset')),
      isSeen: box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight,
    };
  });

const pressFilters = async () => {
  const opener = page.getByRole('button', { name: /^Filters/ });
  if ((await opener.getAttribute('aria-expanded')) === 'false') await opener.click();
};

/** Scrolls far into the list, opens what is in the middle of the screen, and returns what it was and where it was. */
async function openFarDown(): Promise<{ name: string; top: number; at: number }> {
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight * 0.4));
  // The first row may be the one that has the focus.
  await expect.poll(async () => (await placeOf(rows().last()))[0], pollOptions).toBeGreaterThan(1_000);
  const middle = () =>
    page.evaluate(() => {
      const links = [...document.querySelectorAll('[aria-posinset]')].map((row) => {
        const link = row.querySelector('a');
        return {
          name: link?.textContent ?? '',
          top: Math.round(link?.getBoundingClientRect().top ?? -1),
          at: Number(row.getAttribute('aria-posinset')),
        };
      });
      return links.find(({ top }) => top > window.innerHeight / 3 && top < window.innerHeight);
    });
  // Estimated heights are measured now; what is read must not move.
  let before = await middle();
  await expect
    .poll(
      async () => {
        const [last, now] = [before, await middle()];
        before = now;
        return now !== undefined && last?.at === now.at && last.top === now.top;
      },
      { ...pollOptions, intervals: [200] },
    )
    .toBe(true);
  const { name, at } = must(before, 'a card in the middle of the screen');
  const top = await topOf(at);
  await page.locator(`[aria-posinset="${at}"] a`).first().click();
  return { name, top, at };
}

/**
 * In pixels below the connection bar, which comes in above the page on a slow machine and goes again: the list moves by
 * its height.
 */
const topOf = (at: number) =>
  page.evaluate((number) => {
    const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
    return Math.round((boxOf(`[aria-posinset="${number}"] a`)?.top ?? -1) - (boxOf('section[data-kind]')?.height ?? 0));
  }, at);

/** `stops`: of the Tab key in a row: the card, and what saves a job for later. */
const lists = [
  { list: 'jobs', path: '/find-jobs?max=50000', one: 'job', all: () => jobs.length, least: 20_000, stops: 2 },
  { list: 'tradies', path: '/find-tradies', one: 'tradie', all: () => tradies.length, least: 5_000, stops: 1 },
];

for (const { list, path, one, all, least, stops } of lists)
  test.describe(list, () => {
    // Both lists are one hook, and jobs have more stops.
    const often = list === 'jobs' ? {} : long;
    test('a few of them are in the page; each says which of how many it is', async () => {
      await page.goto(`${server.url}${path}`);
      expect(all()).toBeGreaterThanOrEqual(least);
      await found(all(), one);
      await rows().first().waitFor();
      expect(await rows().count()).toBeLessThan(30);
      expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(2_500);
      const places = await Promise.all((await rows().all()).map(placeOf));
      expect(places).toEqual(places.map((_, at) => [at + 1, all()]));
    });

    test(
      'the keyboard goes from one to the next, further than was in the page, to the end and back again',
      often,
      async () => {
        const pressed = async (key: 'Tab' | 'Shift+Tab') => {
          for (let stop = 1; stop <= stops; stop += 1) await page.keyboard.press(key);
        };
        await rows().first().getByRole('link').first().focus();
        for (let at = 1; at <= 40; at += 1) {
          await expect.poll(focused, pollOptions).toEqual({ at, isSeen: true });
          await pressed('Tab');
        }
        await expect.poll(focused, pollOptions).toEqual({ at: 41, isSeen: true });
        // Heights of unseen rows are estimated, so the end may be a little further than before they were rendered.
        await expect
          .poll(async () => {
            await page.keyboard.press('End');
            return page.locator(`[aria-posinset="${all()}"]`).count();
          }, pollOptions)
          .toBe(1);
        // The key scrolls smoothly; a Tab pressed meanwhile would be scrolled away from.
        let before: number | undefined;
        const rests = async () => {
          const [last, now] = [before, await page.evaluate(() => window.scrollY)];
          before = now;
          return last === now;
        };
        await expect.poll(rests, { ...pollOptions, intervals: [200] }).toBe(true);
        // Scrolling to the end moves no focus: the next Tab goes on from where the focus was left.
        expect((await focused()).at).toBe(41);
        await pressed('Tab');
        await expect.poll(focused, pollOptions).toEqual({ at: 42, isSeen: true });
        await pressed('Shift+Tab');
        await expect.poll(focused, pollOptions).toEqual({ at: 41, isSeen: true });
        expect(await rows().count()).toBeLessThan(40);
      },
    );

    test('left far down and come back to, it stands where it stood', async () => {
      const leave = await openFarDown();
      await page.getByRole('heading', { level: 1, name: leave.name, exact: true }).waitFor();
      await page.goBack();
      await expect.poll(() => topOf(leave.at), pollOptions).toBeCloseTo(leave.top, -1);
      await page.locator(`[aria-posinset="${leave.at}"] a`).first().click();
      await page.getByRole('heading', { level: 1, name: leave.name, exact: true }).waitFor();
      await page.getByRole('main').getByText('Back', { exact: true }).click();
      await expect.poll(() => topOf(leave.at), pollOptions).toBeCloseTo(leave.top, -1);
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
    });
  });

test('jobs: every filter leaves those it should, and the address keeps them', async () => {
  await page.goto(`${server.url}/find-jobs?max=50000`);
  await found(jobs.length, 'job');
  await pressFilters();
  const words = 'behind the garage';
  await page.getByRole('searchbox', { name: 'Search' }).fill(words);
  const said = jobs.filter(({ title, description }) => `${title}\n${description}`.toLowerCase().includes(words));
  await found(said.length, 'job');
  const [category = ''] = said.map(({ categoryId }) => categoryId);
  await page.getByLabel('Category').selectOption(category);
  const ofCategory = said.filter(({ categoryId }) => categoryId === category);
  await found(ofCategory.length, 'job');
  await page.getByLabel('Max budget, type a number').fill('6,000');
  await page.keyboard.press('Enter');
  const cheap = ofCategory.filter(({ budgetMax }) => budgetMax === null || budgetMax <= 6_000);
  await found(cheap.length, 'job');
  expect(cheap.length).toBeLessThan(ofCategory.length);
  await page.getByLabel('Sort by').selectOption('Highest budget');
  const dearest = Math.max(...cheap.map(({ budgetMax }) => budgetMax ?? 0));
  await rows()
    .first()
    .getByText(`$${dearest.toLocaleString('en-NZ')}`, { exact: true })
    .waitFor();
  await expect.poll(() => new URL(page.url()).searchParams.get('max'), pollOptions).toBe('6000');
  await page.reload();
  await found(cheap.length, 'job');
});

test('tradies: every filter leaves those it should, and the address keeps them', async () => {
  await page.goto(`${server.url}/find-tradies`);
  await found(tradies.length, 'tradie');
  await pressFilters();
  await page.getByRole('searchbox', { name: 'Business name' }).fill('kereru roof');
  const named = tradies.filter(({ businessName }) =>
    businessName.toLowerCase().replace('ū', 'u').includes('kereru roof'),
  );
  await found(named.length, 'tradie');
  const trade = must(named[0]?.categories[0]?.id, 'a trade');
  await page.getByRole('button', { name: /^Show all/ }).click();
  await page
    .getByRole('group', { name: /^Trades/ })
    .locator(`input[value="${trade}"]`)
    .check({ force: true });
  const ofTrade = named.filter(({ categories }) => categories.some(({ id }) => id === trade));
  await found(ofTrade.length, 'tradie');
  expect(ofTrade.length).toBeLessThan(named.length);
  await page.getByLabel('Sort by').selectOption('Z-A');
  await expect.poll(() => new URL(page.url()).search, pollOptions).toContain('sort=z-a');
  const last = ofTrade
    .map(({ businessName }) => businessName)
    .toSorted(new Intl.Collator('en-NZ', { sensitivity: 'base', numeric: true }).compare)
    .at(-1);
  await rows()
    .first()
    .getByRole('link', { name: last ?? '', exact: true })
    .waitFor();
  await page.reload();
  await found(ofTrade.length, 'tradie');
});

for (const slowdown of [4, 6])
  test(
    `a small phone, ${slowdown} x slower: without signal the app starts anew with all jobs, and finds what is searched, within ${smallPhone} MB`,
    long,
    async () => {
      await untilInstalled(phone);
      await page.goto(`${server.url}/find-jobs?max=50000`);
      await found(jobs.length, 'job');
      await phone.kill();
      page = await phone.start('/robots.txt');
      const crashes: string[] = [];
      page.on('crash', () => crashes.push('crashed'));
      await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      await phone.setSignal(false);

      const begun = Date.now();
      await page.goto(`${server.url}/find-jobs?max=50000`);
      await rows().first().waitFor(pollOptions);
      const firstMs = Date.now() - begun;
      await found(jobs.length, 'job');
      const allMs = Date.now() - begun;
      await pressFilters();
      const words = 'behind the garage';
      const said = jobs.filter(({ title, description }) => `${title}\n${description}`.toLowerCase().includes(words));
      const typed = Date.now();
      await page.getByRole('searchbox', { name: 'Search' }).pressSequentially(words);
      await found(said.length, 'job');
      const memory = await browserPeak(page);
      process.stdout.write(
        `${slowdown} x slower, ${jobs.length} jobs: first rows ${firstMs} ms, all ${allMs} ms, search typed and found ${Date.now() - typed} ms, ${memory} MB at most\n`,
      );
      expect(new Set(await memoryLimits(page))).toEqual(new Set([smallPhone]));
      expect(memory).toBeGreaterThan(100);
      expect(memory).toBeLessThan(smallPhone);
      expect(crashes).toEqual([]);
      await phone.setSignal(true);
    },
  );
