import { readFile } from 'node:fs/promises';
import { chromium, expect, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { signedIn } from './account.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/*
 * What a tradie has ready for the one job that fits: saved searches, prepared notes, jobs saved for later; with signal
 * and without.
 */

let server: RunningServer;
let browser: Browser;
let phone: BrowserContext;
let page: Page;
let desktop: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch(launchOptions());
  phone = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  page = await phone.newPage();
  await page.goto(server.url);
  await signIn(page, demo('tradie'));
  desktop = await browser.newPage({ viewport: { width: 1_280, height: 800 }, reducedMotion: 'reduce' });
  await desktop.goto(server.url);
  await signIn(desktop, demo('tradie'));
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const goTo = async (on: Page, path: string) => {
  await on.goto(`${server.url}${path}`);
};
const cards = (on: Page) => on.getByRole('article').getByRole('heading');
/** The first job that can still be answered; from its page. */
async function openJob(on: Page): Promise<string> {
  await goTo(on, '/find-jobs');
  const open = on.getByRole('article').filter({ hasNotText: 'Interest Expressed' }).first();
  const title = (await open.getByRole('heading').textContent()) ?? '';
  await goTo(on, (await open.getByRole('link').getAttribute('href')) ?? '');
  await on.getByRole('button', { name: 'Express Interest' }).waitFor();
  return title;
}

test('a search that is saved on the phone is used on the other device, without signal there', async () => {
  await goTo(page, '/find-jobs?q=roof');
  await page.getByRole('button', { name: 'Save this search' }).click();
  const name = 'All trades, “roof”, up to $10,000';
  await expect(page.getByRole('button', { name }).first()).toBeVisible();
  const found = await cards(page).allTextContents();
  await goTo(desktop, '/find-jobs');
  await expect(desktop.getByRole('button', { name })).toBeVisible({ timeout: 30_000 });
  // What is opened without signal must have been kept.
  await desktop.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await desktop.context().setOffline(true);
  await desktop.getByRole('button', { name }).click();
  await expect(cards(desktop)).toHaveText(found);
  await expect(desktop.getByRole('button', { name })).toHaveAttribute('aria-pressed', 'true');
  await desktop.getByRole('button', { name: 'Edit searches' }).click();
  await desktop.getByRole('button', { name: `Edit: ${name}` }).click();
  await desktop.getByRole('textbox', { name: 'Name' }).fill('Roofs');
  await desktop.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(desktop.getByRole('dialog').getByText('Saved on this phone')).toBeVisible();
  await desktop.context().setOffline(false);
  await expect(page.getByRole('button', { name: 'Roofs' })).toBeVisible({ timeout: 30_000 });
  await desktop.keyboard.press('Escape');
});

test('what two devices keep as prepared notes at the same time is both kept', async () => {
  for (const on of [page, desktop]) await openJob(on);
  for (const on of [page, desktop]) await on.context().setOffline(true);
  const texts = ['Can look this week.', 'Free from Monday.'] as const;
  for (const [at, on] of [page, desktop].entries()) {
    await on.getByRole('textbox', { name: 'Note to the homeowner' }).fill(texts[at] ?? '');
    await on.getByRole('button', { name: 'Keep as prepared note' }).click();
    await expect(on.getByRole('button', { name: texts[at] ?? '' })).toBeVisible();
  }
  for (const on of [page, desktop]) await on.context().setOffline(false);
  for (const on of [page, desktop]) {
    for (const text of texts) await expect(on.getByRole('button', { name: text })).toBeVisible({ timeout: 30_000 });
  }
});

test('without signal a job is answered with a prepared note in two taps', async () => {
  const title = await openJob(page);
  await phone.setOffline(true);
  await page.getByRole('button', { name: 'Free from Monday.' }).click();
  await page.getByRole('button', { name: 'Express Interest' }).click();
  await expect(page.getByText("We'll send your interest when you're back in coverage.")).toBeVisible();
  await expect(page.getByRole('blockquote')).toHaveText('Free from Monday.');
  await phone.setOffline(false);
  await expect(page.getByText('You have expressed interest in this job')).toBeVisible({ timeout: 30_000 });
  await goTo(desktop, '/dashboard');
  await expect(desktop.getByRole('link', { name: title }).first()).toBeVisible({ timeout: 30_000 });
});

test('a job is saved for later without signal, the calendar gets its reminder, and the device gives it at its time', async () => {
  const title = await openJob(page);
  await phone.setOffline(true);
  await page.getByRole('button', { name: 'Save for later' }).click();
  await page.getByRole('button', { name: 'Tomorrow, 7 am' }).click();
  await expect(page.getByRole('button', { name: /^Reminder .*7:00 am$/ })).toBeVisible();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Add to calendar' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('dwang-reminder.ics');
  const text = await readFile(await file.path(), 'utf8');
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\n/);
  expect(text.replaceAll('\r\n ', '')).toMatch(/DTSTART:\d{8}T1[89]0000Z\r\n/);
  await phone.setOffline(false);
  // On the desktop, whose clock comes to that morning.
  await goTo(desktop, '/find-jobs');
  await expect(desktop.getByRole('button', { name: 'Saved for later (1)' })).toBeVisible({ timeout: 30_000 });
  // That it was saved may come before its reminder.
  await goTo(desktop, '/find-jobs?later=true');
  await desktop.getByRole('link', { name: title }).first().click();
  await expect(desktop.getByRole('button', { name: /^Reminder .*7:00 am$/ })).toBeVisible({ timeout: 30_000 });
  await goTo(desktop, '/find-jobs');
  await desktop.context().setOffline(true);
  await desktop.clock.install({ time: new Date(Date.now() + 2 * 24 * 3_600_000) });
  await desktop.reload();
  await expect(desktop.getByText(`Reminder: ${title}`)).toBeVisible({ timeout: 30_000 });
  await desktop.getByRole('link', { name: 'Open job' }).click();
  await expect(desktop.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(desktop.getByText(`Reminder: ${title}`)).toHaveCount(0);
});

test('jobs that came while the page was out of sight are new until it is looked at, and then on no device any more', async () => {
  const looks = await browser.newPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await looks.goto(server.url);
  await signIn(looks, demo('tradie'));
  await goTo(looks, '/find-jobs?q=henhouse&max=50000');
  await looks.getByRole('button', { name: 'Save this search' }).click();
  const chip = (on: Page) => on.getByRole('button', { name: /“henhouse”/ });
  await expect(chip(looks)).toHaveAttribute('aria-pressed', 'true');
  await looks.evaluate(() =>
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' }),
  );
  const { email, password } = demo('homeowner');
  await (
    await signedIn(server, email, password)
  ).post('/api/jobs', {
    title: 'Build a henhouse',
    description: 'For six hens.',
    urgency: 'soon',
    locationId: 'southland/winton',
    categoryId: 'builder',
  });
  await expect(chip(looks)).toContainText('1 new', { timeout: 30_000 });
  await looks.waitForTimeout(1_500);
  await expect(chip(looks)).toContainText('1 new');
  await looks.evaluate(() => {
    Reflect.deleteProperty(document, 'visibilityState');
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect(chip(looks)).not.toContainText('new');
  await goTo(page, '/find-jobs');
  await expect(chip(page)).toBeVisible({ timeout: 30_000 });
  await expect(chip(page)).not.toContainText('new', { timeout: 30_000 });
});
