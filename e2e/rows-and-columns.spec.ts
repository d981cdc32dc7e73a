import { chromium, expect, type Browser, type Locator, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { withoutWorker, long } from './test-options.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { countWaiting } from './page-writer.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

test.use(withoutWorker);

/* What a designer measures: nothing that decides is cut, no row and no column is left over. */

let server: RunningServer;
let browser: Browser;
let tradie: Page;
let owner: Page;

test.beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch(launchOptions());
  [tradie, owner] = await Promise.all([openAs('tradie'), openAs('homeowner')]);
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

async function openAs(name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(server.url);
  await signIn(page, demo(name));
  return page;
}

async function open(page: Page, path: string, width: number, height = 800): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.goto(`${server.url}${path}`);
  await page.getByRole('article').first().waitFor();
}

/** Runs in the page: what of a card decides, and is cut. */
function cutOnCards(): string[] {
  const decides = 'main article :is(h2, h2 ~ p, h2 ~ p > span, p:has(> time), p:has(> time) > *)';
  return [...document.querySelectorAll<HTMLElement>(decides)]
    .filter(
      (words) => getComputedStyle(words).webkitLineClamp === 'none' && getComputedStyle(words).position !== 'absolute',
    )
    .filter((words) => words.scrollWidth > words.clientWidth + 1 && getComputedStyle(words).display !== 'inline')
    .map((words) => words.innerText);
}

/** What must hold of this page in a window of each of these widths, the widest last. */
async function atEach(page: Page, widths: readonly number[], check: (at: string) => Promise<void>): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    await check(`${width} px wide`);
  }
}

test('no trade, title or town of a job is cut, alone and beside a job that is open', async () => {
  const widths = [960, 1_024, 1_280, 1_600];
  const mustBeWhole = async (at: string) => {
    await expect.poll(() => tradie.evaluate(cutOnCards), at).toEqual([]);
  };
  await open(tradie, '/find-jobs', 960);
  expect(await tradie.getByRole('article').count()).toBeGreaterThan(8);
  await atEach(tradie, widths, mustBeWhole);
  await tradie.keyboard.press('j');
  await tradie.getByRole('button', { name: 'Close job' }).waitFor();
  await atEach(tradie, widths, mustBeWhole);
});

test('beside a job that is open, town, region and distance of an answered job stand in one line', long, async () => {
  await open(tradie, '/find-jobs?q=handrail', 1_280);
  const card = tradie.getByRole('article').filter({ hasText: 'Palmerston North, Manawatū-Whanganui' });
  await expect(card).toContainText('Interest Expressed');
  await tradie.keyboard.press('j');
  await tradie.getByRole('button', { name: 'Close job' }).waitFor();
  const place = card.locator('h2 ~ p', { hasText: 'Palmerston North' });
  const lines = () =>
    place.evaluate((words) => words.clientHeight / Number.parseFloat(getComputedStyle(words).lineHeight));
  await atEach(tradie, [1_280, 1_600], async (at) => {
    await expect.poll(lines, at).toBeLessThan(1.5);
  });
});

test('on a small desktop two chips are whole beside the button of the map', long, async () => {
  await open(tradie, '/find-jobs', 1_024);
  const save = tradie.getByRole('button', { name: 'Save this search' });
  const [end, begin] = await Promise.all([
    save.evaluate((part) => part.getBoundingClientRect().right),
    tradie.getByRole('button', { name: 'Map' }).evaluate((part) => part.getBoundingClientRect().left),
  ]);
  expect(end).toBeLessThan(begin - 12);
});

/** Runs in the page: terms of a job that have a row to themselves and leave most of it empty. */
function lonelyFacts(): string[] {
  const facts = [...document.querySelectorAll<HTMLElement>('main dl > div')];
  const whole = document.querySelector('main dl')?.getBoundingClientRect().width ?? 0;
  return facts
    .filter((fact) => facts.every((other) => other === fact || other.offsetTop !== fact.offsetTop))
    .filter((fact) => fact.getBoundingClientRect().width < whole - 1)
    .map((fact) => fact.innerText);
}

for (const widths of [
  [390, 768],
  [1_024, 1_280, 1_600],
] as const)
  test(`none of a job's facts stands alone in its row, ${widths.join(', ')} px wide`, async () => {
    await open(tradie, '/find-jobs', widths[0]);
    await tradie.getByRole('article').nth(1).getByRole('link').click();
    await tradie.locator('main dl').waitFor();
    await atEach(tradie, widths, async (at) => {
      await expect.poll(() => tradie.evaluate(lonelyFacts), at).toEqual([]);
    });
  });

test('nor on the page of its own, on a desktop', long, async () => {
  await open(tradie, '/find-jobs', 1_280);
  const path = await tradie.getByRole('article').nth(1).getByRole('link').getAttribute('href');
  await tradie.goto(`${server.url}${path}`);
  await tradie.locator('main dl').waitFor();
  expect(await tradie.evaluate(lonelyFacts)).toEqual([]);
});

/** Runs in the page: by how much the last card of each list is wider than its first. */
function widerEnds(): number[] {
  return [...document.querySelectorAll('main [role=list]:has(article)')].map((list) => {
    const cards = [...list.querySelectorAll('article')].map((card) => card.getBoundingClientRect().width);
    return Math.abs(Math.round(cards.at(-1)! - cards[0]!));
  });
}

test('the last of an odd number of cards is as wide as the others: jobs and tradies', async () => {
  await open(owner, '/dashboard', 768, 1_024);
  expect((await owner.getByRole('article').count()) % 2).toBe(1);
  // A line between two columns is part of one of them.
  expect(Math.max(...(await owner.evaluate(widerEnds)))).toBeLessThan(2);
  await open(tradie, '/find-jobs?q=roof', 768, 1_024);
  await expect.poll(() => tradie.getByRole('article').count()).toBeLessThan(10);
  expect(Math.max(...(await tradie.evaluate(widerEnds)))).toBeLessThan(2);
  await open(owner, '/find-tradies', 1_600, 900);
  expect(await owner.getByRole('article').count()).toBe(3);
  expect(await owner.evaluate(widerEnds)).toEqual([0]);
});

test('an owner’s job without an answer leaves no column empty on a desktop', long, async () => {
  await open(owner, '/dashboard', 1_280);
  await owner.getByRole('link', { name: /^Tidy up the section/ }).click();
  await owner.getByText('No tradies have expressed interest yet').waitFor();
  const [close, photo] = await Promise.all(
    [owner.getByRole('button', { name: 'Close Job' }), owner.getByRole('button', { name: /^Enlarge photo 1/ })].map(
      (part) => part.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect),
    ),
  );
  expect(close!.right).toBeLessThan(photo!.left);
  expect(photo!.bottom - close!.bottom).toBeLessThan(300);
});

test('on a small desktop the photos of an open job, and the beginning of its words, are seen beside the list', async () => {
  await open(tradie, '/find-jobs', 1_024, 768);
  await tradie.getByRole('article').filter({ hasText: 'Leaking shower' }).getByRole('link').click();
  const pane = tradie.getByRole('region', { name: 'Job', exact: true });
  await pane.getByRole('button', { name: /^Enlarge photo 1/ }).waitFor();
  const seen = await pane.evaluate((part) => {
    const read = part.firstElementChild!.getBoundingClientRect();
    const bottom = (query: string) => part.querySelector(query)!.getBoundingClientRect().bottom;
    const words = [...part.querySelectorAll('p')].find(({ innerText }) => innerText.startsWith('Upstairs'))!;
    return { photos: read.bottom - bottom('ul'), words: read.bottom - words.getBoundingClientRect().top };
  });
  expect(seen.photos).toBeGreaterThan(0);
  expect(seen.words).toBeGreaterThan(3 * 24);
});

test('beside the list the first four lines of an open job’s words are whole', long, async () => {
  await open(tradie, '/find-jobs', 1_280);
  await tradie.getByRole('article').filter({ hasText: 'Leaking shower' }).getByRole('link').click();
  const pane = tradie.getByRole('region', { name: 'Job', exact: true });
  await pane.getByRole('button', { name: 'Express Interest' }).waitFor();
  const seen = await pane.evaluate((part) => {
    const words = [...part.querySelectorAll('p')].find(({ innerText }) => innerText.startsWith('Upstairs'))!;
    return part.firstElementChild!.getBoundingClientRect().bottom - words.getBoundingClientRect().top;
  });
  expect(seen).toBeGreaterThan(4 * 25.5);
});

for (const reach of ['focus', 'press'] as const)
  test(`the buttons of a tradie’s job lie over no part of the note that is written, ${reach}`, async () => {
    await open(tradie, '/find-jobs', 1_280);
    const link = tradie.getByRole('article').filter({ hasText: 'Leaking shower' }).getByRole('link');
    await tradie.goto(`${server.url}${await link.getAttribute('href')}`);
    const note = tradie.getByLabel(/^Note to the homeowner/);
    await note.waitFor();
    const act = { focus: () => note.focus(), press: () => note.click({ position: { x: 20, y: 6 } }) };
    for (const top of [0, 60, 120, 400]) {
      await tradie.evaluate(() => (document.activeElement as HTMLElement).blur());
      await tradie.evaluate((y) => window.scrollTo(0, y), top);
      await act[reach]();
      const bar = await tradie.locator('[data-action-bar]').boundingBox();
      const field = await note.boundingBox();
      expect(field!.y + field!.height).toBeLessThanOrEqual(bar!.y);
    }
  });

test(
  'on Find Jobs the pictures stand under the heading, and the button of the map is as high as the chips',
  long,
  async () => {
    await open(tradie, '/find-jobs', 1_280);
    const box = async (part: Locator) => (await part.boundingBox())!;
    const heading = await box(tradie.getByRole('heading', { level: 1 }));
    const picture = await box(tradie.locator('main article img').first());
    expect(picture.x).toBeCloseTo(heading.x, 0);
    const map = await box(tradie.getByRole('button', { name: 'Map' }));
    expect(map.height).toBe((await box(tradie.getByRole('button', { name: 'Save this search' }))).height);
  },
);

test('the filters of Find Jobs take no more than three and a half jobs on a desktop', long, async () => {
  await open(tradie, '/find-jobs', 1_280);
  await tradie.getByRole('button', { name: /^Filters/ }).click();
  const panel = tradie.getByRole('region', { name: 'Filters' });
  const height = () => panel.evaluate((part) => part.getBoundingClientRect().height);
  await atEach(tradie, [1_280, 1_600], async (at) => {
    await expect.poll(height, at).toBeLessThan(3.5 * 76);
  });
});

test('the head of a tradie’s job takes no third of a desktop’s window', long, async () => {
  await open(tradie, '/find-jobs', 1_280);
  const link = tradie.getByRole('article').filter({ hasText: 'Leaking shower' }).getByRole('link');
  await tradie.goto(`${server.url}${await link.getAttribute('href')}`);
  const photo = tradie.getByRole('button', { name: /^Enlarge photo 1/ });
  await photo.waitFor();
  expect(await photo.evaluate((part) => part.getBoundingClientRect().top)).toBeLessThan(305);
});

test('a field that may be left out stands in line with its neighbour', long, async () => {
  await tradie.setViewportSize({ width: 1_280, height: 800 });
  await tradie.goto(`${server.url}/edit-tradie`);
  const fields = [tradie.getByLabel('Region'), tradie.getByRole('combobox', { name: /^Nearest location/ })];
  await fields[1]!.waitFor();
  const [region, town] = await Promise.all(
    fields.map((one) => one.evaluate((part) => part.getBoundingClientRect().top)),
  );
  expect(town).toBe(region);
});

test('the list of calls stays beside what is read, and nothing scrolls inside it, in a low window and a high one', async () => {
  await tradie.goto(`${server.url}/api/docs`);
  const list = tradie.getByRole('navigation', { name: 'Calls' });
  const place = () => list.evaluate((part) => part.getBoundingClientRect().toJSON() as DOMRect);
  for (const height of [720, 1_200]) {
    await tradie.setViewportSize({ width: 1_280, height });
    await tradie.evaluate(() => window.scrollTo(0, 0));
    expect(await list.evaluate((part) => part.scrollHeight - part.clientHeight)).toBe(0);
    expect((await place()).top).toBeGreaterThanOrEqual(0);
    await tradie.evaluate(() => window.scrollTo(0, 3_000));
    const later = await place();
    expect(height < 1_000 ? later.bottom - height : later.top).toBeCloseTo(0, 0);
  }
});

test('however many searches are saved, Find Jobs is no wider than the window', long, async () => {
  for (const wanted of ['deck', 'gate', 'roof']) {
    await open(tradie, `/find-jobs?q=${wanted}`, 1_280);
    await tradie.getByRole('button', { name: 'Save this search' }).click();
    await tradie.getByRole('button', { name: new RegExp(`“${wanted}”`) }).waitFor();
    // It is shown before it is durable, and a page that is left before that takes it along.
    await expect.poll(() => countWaiting(tradie)).toBe(0);
  }
  await open(tradie, '/find-jobs', 1_280);
  await tradie.getByRole('button', { name: /“roof”/ }).waitFor();
  expect(await tradie.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
});
