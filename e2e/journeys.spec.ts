import { chromium, expect, type Browser, type Locator, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { mailTo } from './account.ts';
import { long, withoutWorker } from './test-options.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, giveCredentials, signIn } from './person.ts';
import { test } from './shared-server.ts';

test.use(withoutWorker);

/*
 * How many taps the five journeys take on a phone, and how long the product makes one wait on the way. A tap is what
 * the page hears as one, and the choice in a list that the phone shows itself. Letters are not counted, nor what one
 * does in a mail program: the six digits of the mail are typed. The seconds are what this machine took, without typing
 * or thinking; they are printed and not judged.
 */

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

interface Thumb {
  readonly page: Page;
  readonly main: Locator;
  tap(target: Locator): Promise<void>;
  /** Into a field that has the focus by itself. */
  type(field: Locator, text: string): Promise<void>;
  /** Into a field that is tapped first. */
  write(field: Locator, text: string): Promise<void>;
  /** From a list that the phone shows itself. */
  choose(select: Locator, value: string): Promise<void>;
  /** Counts from here. */
  begin(): void;
  /** Prints taps and seconds since `begin`, and returns the taps. */
  end(journey: string): number;
}

async function withThumb(journey: (thumb: Thumb) => Promise<void>): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-NZ',
    timezoneId: 'Pacific/Auckland',
  });
  try {
    const page = await context.newPage();
    let taps = 0;
    let began = Date.now();
    await page.exposeFunction('countTap', () => (taps += 1));
    await page.addInitScript(() => {
      addEventListener('pointerdown', () => (globalThis as unknown as { countTap(): void }).countTap(), true);
    });
    const type = async (field: Locator, text: string) => {
      await expect(field).toBeFocused();
      await page.keyboard.type(text, { delay: 30 });
    };
    await journey({
      page,
      main: page.getByRole('main'),
      tap: (target) => target.tap(),
      type,
      write: async (field, text) => {
        // Not its very middle: there React Aria takes a touch for one of VoiceOver's, and opens or closes the list.
        await field.tap({ position: { x: 24, y: 16 } });
        await type(field, text);
      },
      choose: async (select, value) => {
        await select.tap();
        await select.selectOption(value);
        taps += 1;
      },
      begin: () => {
        taps = 0;
        began = Date.now();
      },
      end: (name) => {
        const seconds = ((Date.now() - began) / 1_000).toFixed(1);
        process.stdout.write(`${name}: ${taps} taps, ${seconds} s\n`);
        return taps;
      },
    });
  } finally {
    await context.close();
  }
}

/** From the open dialog to the end of signing up, with the code from the mail. */
async function signUpByThumb({ page, tap, type, write }: Thumb, email: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await type(dialog.getByLabel('Email'), email);
  await write(dialog.getByLabel('Password'), 'rimu-and-totara');
  await tap(dialog.getByRole('button', { name: 'Continue' }));
  await dialog.getByText(email).waitFor();
  const code = /\b\d{6}\b/.exec(JSON.stringify(await mailTo(server, email, /confirm/i)))?.[0] ?? '';
  await type(dialog.getByLabel('Code from the email'), code);
  await tap(dialog.getByRole('button', { name: "I've Confirmed My Email" }));
  await type(dialog.getByLabel('First name'), 'Ngaio');
  await write(dialog.getByLabel('Last name'), 'Parker');
  await tap(dialog.getByRole('button', { name: 'Complete Profile' }));
  await dialog.waitFor({ state: 'detached' });
}

/** Runs in the page. */
function isOnTop(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

async function chooseTown({ page, tap, write }: Thumb, label: RegExp): Promise<void> {
  await write(page.getByRole('combobox', { name: label }), 'winton');
  const town = page.getByRole('option', { name: /^Winton/ }).first();
  // The list is hidden for a moment after the page has scrolled to its field: a touch would reach what is under it.
  await expect.poll(() => town.evaluate(isOnTop)).toBe(true);
  await tap(town);
}

test('a homeowner has a job posted after sixteen taps at most', long, () =>
  withThumb(async (thumb) => {
    const { page, main, tap, write, choose } = thumb;
    await page.goto(server.url);
    thumb.begin();
    await tap(page.getByRole('link', { name: 'Post a Job (Free)' }));
    await signUpByThumb(thumb, 'thumb.owner@example.nz');
    await write(page.getByLabel('Title'), 'Hang the back gate again');
    await write(page.getByLabel('Description'), 'It drags.');
    await chooseTown(thumb, /town/i);
    await tap(main.getByText('Slow - No rush'));
    await choose(page.getByLabel('Category'), 'builder');
    await tap(page.getByRole('button', { name: 'Post Job' }));
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
    await main.getByRole('link', { name: 'Hang the back gate again' }).waitFor();
    expect(thumb.end('Homeowner, from the landing page to a posted job')).toBeLessThanOrEqual(16);
  }),
);

test('a would-be tradie has paid after twenty taps at most', long, () =>
  withThumb(async (thumb) => {
    const { page, tap, write } = thumb;
    await page.goto(server.url);
    thumb.begin();
    await tap(page.getByRole('link', { name: 'Join as a Tradie' }).first());
    await signUpByThumb(thumb, 'thumb.tradie@example.nz');
    for (const [label, text] of [
      ['NZBN', '9429040402543'],
      ['Business name', 'Parker Fencing'],
      ['Business address', '4 Cameron Street, Whangārei'],
      ['Contact phone', '021 123 4567'],
      ['Company description', 'Fences and gates.'],
    ] as const)
      await write(page.getByLabel(label), text);
    await tap(
      page
        .getByRole('group', { name: /Trade categories/ })
        .locator('label')
        .first(),
    );
    await chooseTown(thumb, /nearest location/i);
    await tap(page.getByText('I agree to the Terms of Use for tradies'));
    await tap(page.getByRole('button', { name: 'Continue to Payment' }));
    await tap(page.getByRole('button', { name: 'Pay' }));
    await page.getByText('Welcome aboard!').waitFor();
    expect(thumb.end('Tradie, from the landing page to a paid subscription')).toBeLessThanOrEqual(20);
  }),
);

test('a lapsed tradie has paid after three taps at most', long, () =>
  withThumb(async (thumb) => {
    const { page, main, tap } = thumb;
    await page.goto(server.url);
    await signIn(page, demo('lapsed'));
    await page.goto(`${server.url}/dashboard`);
    await main.getByRole('button', { name: /Subscribe Again|Pay and Carry On|See My Subscription/ }).waitFor();
    thumb.begin();
    await tap(main.getByRole('button', { name: /Subscribe Again|Pay and Carry On|See My Subscription/ }));
    await tap(page.getByRole('button', { name: 'Pay' }));
    await page.getByText('Welcome aboard!').waitFor();
    expect(thumb.end('Lapsed tradie, from the dashboard to a paid subscription')).toBeLessThanOrEqual(3);
  }),
);

test('interest is expressed with two taps, and a homeowner calls the tradie with two', async () => {
  await withThumb(async (thumb) => {
    const { page, main, tap } = thumb;
    await page.goto(server.url);
    await signIn(page, demo('tradie'));
    await page.goto(`${server.url}/find-jobs?q=ranchslider`);
    const job = main.getByRole('article').getByRole('link').first();
    await job.waitFor();
    thumb.begin();
    await tap(job);
    await tap(main.getByRole('button', { name: 'Express Interest' }));
    await main.getByText('You have expressed interest in this job').waitFor();
    expect(thumb.end('Tradie, from the list to an interest expressed')).toBe(2);
  });
  await withThumb(async (thumb) => {
    const { page, main, tap } = thumb;
    await page.goto(server.url);
    await giveCredentials(page, demo('homeowner'));
    const job = main
      .getByRole('article')
      .filter({ hasText: /tradies? interested/ })
      .getByRole('link')
      .first();
    await job.waitFor();
    thumb.begin();
    await tap(job);
    const call = main.getByRole('link', { name: /^Call/ }).first();
    expect(await call.getAttribute('href')).toMatch(/^tel:/);
    // Where the tap leads is the phone's own.
    await call.evaluate((link) => link.addEventListener('click', (event) => event.preventDefault()));
    await tap(call);
    expect(thumb.end('Homeowner, from the dashboard to a tradie on the phone')).toBe(2);
  });
});
