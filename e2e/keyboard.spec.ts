import { chromium, expect, type Browser, type Page } from '@playwright/test';
import { press, spokenIn, tabTo, untilArrived, untilSaid } from './keyboard.ts';
import { openDesktop } from './open-desktop.ts';
import { launchOptions } from '../scripts/find-chromium.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, type Credentials } from './person.ts';
import { picturePath } from '../sync-server/db/seed/demo/picture-path.ts';
import { test } from './shared-server.ts';

/*
 * The main flows without a mouse: every stop is visible, every page announces its name after a navigation, and what
 * happens is announced.
 */

const title = 'Rehang the barn door';
const newTitle = 'Rehang both barn doors';

let server: RunningServer;
let browser: Browser;
let owner: Page;
let tradie: Page;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  browser = await chromium.launch(launchOptions());
  owner = await openDesktop(browser, server.url);
  // Too narrow for a job beside the list: its own page opens (keyboard-tradie.spec.ts has the other way).
  tradie = await openDesktop(browser, server.url, 900);
});
test.afterAll(async () => {
  await browser?.close();
  await server?.close();
});

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name });

async function signInByKeys(page: Page, { email, password }: Credentials): Promise<void> {
  await press(page, link(page, 'Login / Sign Up'));
  const dialog = page.getByRole('dialog', { name: 'Log in or sign up' });
  await dialog.waitFor();
  await tabTo(page, dialog.getByLabel('Email'));
  await page.keyboard.type(email);
  await tabTo(page, dialog.getByLabel('Password'));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await untilArrived(page, 'Dashboard');
  await untilSaid(page, 'Welcome back!');
}

test('what these tests look for they find: a stop under something else, but not one that a growing page has just pushed out of the window', async () => {
  const page = await browser.newPage();
  const one = page.getByRole('link', { name: 'One' });
  const two = page.getByRole('link', { name: 'Two' });
  await page.setContent(
    '<a href="#">One</a> <a href="#">Two</a><div style="position: fixed; inset: 0; background: grey"></div>',
  );
  await expect(tabTo(page, two)).rejects.toThrow('“One” has the focus and cannot be seen');
  await page.setContent('<main><p>Jobs</p></main><a href="#">One</a> <a href="#">Two</a>');
  await one.evaluate((link) =>
    link.addEventListener('focus', () => document.querySelector('main')?.style.setProperty('height', '3000px'), {
      once: true,
    }),
  );
  await tabTo(page, two);
  await page.close();
});

test('the first Tab skips the header; an empty sign-in says what is wrong at the field, and Escape gives the focus back', async () => {
  const page = owner;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  await press(page, link(page, 'Post a Job (Free)'));
  const dialog = page.getByRole('dialog');
  // The dialog is fetched at the press: Tab before it is there would go on in the page, and Escape would lead back
  // there.
  await dialog.waitFor();
  await press(page, dialog.getByRole('button', { name: 'Continue' }));
  const email = dialog.getByLabel('Email');
  await expect.poll(() => email.evaluate((element) => element === document.activeElement)).toBe(true);
  await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true');
  const described = await email.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' '),
  );
  expect(described).toContain('Email is required');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Post a Job (Free)');
});

test('signs in', async () => {
  await signInByKeys(owner, demo('homeowner'));
  await signInByKeys(tradie, demo('tradie'));
  for (const page of [owner, tradie]) expect(await button(page, 'Your account').count()).toBe(1);
});

test('posts a job with a photo; what is missing is said, and a mistake leads to its field', async () => {
  const page = owner;
  await press(page, link(page, 'Post a New Job'));
  await untilArrived(page, 'Post a Job');
  const submit = button(page, 'Post Job');
  expect(await submit.isDisabled()).toBe(true);
  const why = await submit.getAttribute('aria-describedby');
  expect(await page.locator(`#${why}`).innerText()).toMatch(/^To post: .*title.*description/);

  await tabTo(page, page.getByLabel('Title'));
  await page.keyboard.type(title);
  await tabTo(page, page.getByLabel('Description'));
  await page.keyboard.type('It has dropped on its hinges and drags on the concrete.');
  await tabTo(page, page.getByRole('combobox', { name: /town/i }));
  await page.keyboard.type('winton');
  // The list may still be that of the first letters.
  await page
    .getByRole('option', { name: /^Winton/ })
    .first()
    .waitFor();
  await page.keyboard.press('ArrowDown');
  await page.locator('[role=option][data-focused]').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('listbox').waitFor({ state: 'detached' });
  await tabTo(page, page.getByRole('radio', { name: 'Slow - No rush' }));
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.getByRole('radio', { name: 'Soon - Within 2 weeks' }).isChecked()).toBe(true);
  await tabTo(page, page.getByLabel('Category'));
  await page.keyboard.type('Builder');
  await tabTo(page, page.getByLabel(/Budget max/));
  await page.keyboard.type('12..5');
  await untilSaid(page, /^To post: /);
  await expect.poll(() => submit.isDisabled()).toBe(false);

  const chooser = page.waitForEvent('filechooser');
  await tabTo(page, page.locator('input[type=file]:not([capture])'));
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(picturePath('deck-1'));
  await untilSaid(page, '1 photo added');

  await press(page, submit);
  await untilSaid(page, 'One thing to fix');
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('alert');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const budget = page.getByLabel(/Budget max/);
  await expect.poll(() => budget.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1250.50');
  await page.keyboard.press('Enter');
  await untilSaid(page, 'Job Posted!');
  await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  // What was just posted, in the window. A slow server gets another word, and no banner.
  await expect(link(page, title).first()).toBeFocused();
  await expect(link(page, title).first()).toBeInViewport();
  const hasWaited = (await spokenIn(page)).some((words) => words.includes('Saved on this phone'));
  if (!hasWaited) await page.getByText('Easy as! Tradies can see your posted job').waitFor();
});

test('finds and filters jobs, also by the slider and the number box, and expresses interest', async () => {
  const page = tradie;
  await press(page, link(page, 'Find Jobs'));
  await untilArrived(page, 'Find Jobs');
  await untilSaid(page, /^\d+ jobs?$/);
  const jobs = async () => Number((await page.getByText(/^\d+ jobs?(,|$)/).innerText()).split(' ')[0]);
  const before = await jobs();

  await press(page, button(page, /^Filters/));
  const slider = page.getByRole('slider', { name: 'Max budget' });
  await tabTo(page, slider);
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('$10,500');
  await page.keyboard.press('Home');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('$0');
  await expect.poll(jobs).toBeLessThan(before);
  await tabTo(page, page.getByLabel('Max budget, type a number'), 'Shift+Tab');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('2000');
  await page.keyboard.press('Enter');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('$2,000');
  await expect.poll(() => page.url()).toContain('max=2000');

  const search = page.getByRole('searchbox', { name: 'Search' });
  await tabTo(page, search, 'Shift+Tab');
  await page.keyboard.type('barn door');
  await untilSaid(page, /^1 job$/);
  const item = page.getByRole('listitem').filter({ has: link(page, title) });
  await expect
    .poll(async () => [await item.getAttribute('aria-setsize'), await item.getAttribute('aria-posinset')])
    .toEqual(['1', '1']);
  await press(page, link(page, title));
  await untilArrived(page, title);
  await tabTo(page, page.getByLabel(/Note to the homeowner/));
  await page.keyboard.type('I do doors. Thursday morning?');
  await press(page, button(page, 'Express Interest'));
  await untilSaid(page, 'Interest expressed');
  await page.getByText('You have expressed interest in this job').waitFor();
  // Alt and the left arrow, which only a browser with a window of its own obeys.
  await page.goBack({ waitUntil: 'commit' });
  await untilArrived(page, 'Find Jobs');
  expect(page.url()).toContain('q=barn');
});

test('a long list says which of how many each card is, and the way back leads to the same card', async () => {
  const page = tradie;
  await page.goto(`${server.url}/find-jobs?max=50000&sort=a-z`);
  await page.getByRole('listitem').first().waitFor();
  const cards = page
    .getByRole('list')
    .getByRole('listitem')
    .filter({ has: page.getByRole('article') });
  const total = Number((await page.getByText(/^\d+ jobs$/).innerText()).split(' ')[0]);
  expect(await cards.first().getAttribute('aria-setsize')).toBe(String(total));
  expect(await cards.count()).toBeLessThan(total);
  // Down the list by the keyboard alone: the cards on the way are rendered as they come near.
  const chosen = page.locator('[aria-posinset="30"]').getByRole('link');
  await tabTo(page, chosen);
  const name = await chosen.innerText();
  const topOf = () => link(page, name).evaluate((element) => Math.round(element.getBoundingClientRect().top));
  const before = await topOf();
  await page.keyboard.press('Enter');
  await untilArrived(page, name);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  // Alt and the left arrow, which only a browser with a window of its own obeys.
  await page.goBack({ waitUntil: 'commit' });
  await untilArrived(page, 'Find Jobs');
  await link(page, name).waitFor();
  await expect.poll(async () => Math.abs((await topOf()) - before)).toBeLessThanOrEqual(2);
});

test('the owner opens who is interested, ticks them off, edits the job and closes it', async () => {
  const page = owner;
  // The news above the list name the job as well.
  await press(page, link(page, title).last());
  await untilArrived(page, title);
  await page.getByRole('heading', { name: 'Interested Tradies (1)' }).waitFor();
  await tabTo(page, link(page, /^Call .*, Rangitīkei/));
  const tick = page.getByRole('checkbox', { name: 'Contacted (only you see this)' });
  await tabTo(page, tick);
  await page.keyboard.press('Space');
  await expect.poll(() => tick.isChecked()).toBe(true);

  await tabTo(page, button(page, 'Edit Job'));
  await page.keyboard.press('Enter');
  await untilArrived(page, 'Edit Job');
  await tabTo(page, page.getByLabel('Title'));
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(newTitle);
  await page.keyboard.press('Enter');
  await untilSaid(page, 'Job Updated!');
  await untilArrived(page, newTitle);

  await press(page, button(page, 'Close Job'));
  await untilSaid(page, 'Job closed');
  await untilArrived(page, 'Dashboard');
});

test('without signal: what is saved is found on the waiting list and cancelled, and the focus is not lost with it', async () => {
  const page = tradie;
  const wanted = 'Deck boards gone soft by the ranchslider';
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  await page.context().setOffline(true);
  await page.goto(`${server.url}/find-jobs?q=ranchslider`);
  await press(page, link(page, wanted));
  await untilArrived(page, wanted);
  await press(page, button(page, 'Express Interest'));
  await page.getByText('Saved on this phone').first().waitFor();
  await tabTo(page, link(page, /^Waiting to send/), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await untilArrived(page, 'Waiting to send (1)');
  await press(page, button(page, 'Cancel'));
  await press(page, button(page, 'Cancel it'));
  // The button that was pressed is gone: the heading has the focus.
  await untilArrived(page, 'Waiting to send (0)');
  await page.getByText('Nothing is waiting', { exact: true }).waitFor();
  expect(await button(page, 'Cancel').count()).toBe(0);
  await page.context().setOffline(false);
});
