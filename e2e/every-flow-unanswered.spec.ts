import { expect, type Page } from '@playwright/test';
import { must } from '../shared/lib/must.ts';
import { signedIn } from './account.ts';
import { long } from './test-options.ts';
import { makePhoto } from './make-photo.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { openWire, type Wire } from './open-wire.ts';
import { countWaiting } from './page-writer.ts';
import { pullDown } from './pull-down.ts';
import { chooseTown, demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';
import { expectSignInUnanswered } from './sign-in-unanswered.ts';

/*
 * The same flows where nothing answers: without signal, and on a connection that accepts all and answers nothing. What
 * can be promised is saved on the phone, says so, and arrives when the network is back; what cannot says why.
 */

const tradie = demo('tradie');
/** Chromium, emulating no signal, lets a page in a new process believe that it is online: the server is away then. */
const whyOff = /^(You need signal for this|Dwang can't be reached just now)$/;
/** A request that hangs is given up one day, and then the reason is another. */
const whenSent = "(when you're back in coverage|once Dwang can be reached|as soon as the connection lets us)";
const savedForLater = new RegExp(`^Saved on this phone\\. We'll send it ${whenSent}\\.$`);
const interestKept = new RegExp(`^(We'll send your interest ${whenSent}|Your interest is on its way)\\.$`);

let wire: Wire;
let server: RunningServer;
let phone: Device;
let stranger: Device;
let api: Awaited<ReturnType<typeof signedIn>>;
let tradieId: string;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  wire = await openWire();
  server = await openServer({ PUBLIC_URL: wire.url });
  wire.leadTo(server.url);
  api = await signedIn(server, tradie.email, tradie.password);
  ({ tradieId } = await api.get<{ tradieId: string }>('/api/users/me'));
  phone = await openDevice(wire.url);
  await signIn(phone.page(), tradie);
  await untilInstalled(phone);
  stranger = await openDevice(wire.url, '/find-tradies');
  // The document begins the list; the rest comes with the app, and that with the first use of the page.
  const page = stranger.page();
  await page.keyboard.press('Tab');
  await page.getByText(/^Updated /).waitFor();
  await untilInstalled(stranger);
});
test.afterAll(async () => {
  await phone?.close();
  await stranger?.close();
  await wire?.close();
  await server?.close();
});

const setSignals = async (isOn: boolean) => {
  for (const device of [phone, stranger]) await device.setSignal(isOn);
};

const networks = [
  { road: 'without signal', isOffline: true, lose: () => setSignals(false), find: () => setSignals(true) },
  {
    road: 'on a connection that hangs',
    isOffline: false,
    lose: async () => wire.become('silent'),
    find: async () => wire.become('through'),
  },
];

for (const { road, isOffline, lose, find } of networks)
  test.describe(road, isOffline ? long : {}, () => {
    const title = `Rehang the gate ${road}`;
    const open = async (path: string, on: Device = phone): Promise<Page> => {
      const page = on.page();
      await page.goto(`${wire.url}${path}`);
      return page;
    };
    const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
    let [jobId, answered] = ['', ''];
    let other: { id: string; title: string };
    let logoBefore: string | null;
    let passwordAsked: Promise<void> | undefined;
    let signInAsked: Promise<void> | undefined;

    test.beforeAll(async () => {
      const fresh = async () => {
        const known = new Set(
          (await api.get<{ jobId: string }[]>('/api/tradies/me/interests')).map((interest) => interest.jobId),
        );
        return (await api.get<{ id: string; title: string; userId?: string }[]>('/api/jobs')).filter(
          (job) => job.userId === undefined && !known.has(job.id),
        );
      };
      await api.post('/api/jobs', {
        title,
        description: 'It drags.',
        locationId: 'southland/winton',
        urgency: 'slow',
        categoryId: 'builder',
        images: [],
      });
      jobId =
        (await api.get<{ id: string; title: string }[]>('/api/jobs?type=my-jobs')).find((job) => job.title === title)
          ?.id ?? '';
      const rival = await signedIn(server, demo('trialing').email, demo('trialing').password);
      await rival.post(`/api/jobs/${jobId}/interest`, { note: 'I have the hinges.' });
      logoBefore = (await api.get<{ logo: string | null }>('/api/tradies/me')).logo;
      const [first, second] = await fresh();
      answered = must(first, 'a job to answer').id;
      other = must(second, 'a job to hide');
      const page = await open('/find-jobs');
      await page.getByRole('article').first().waitFor();
      await open(`/job/${jobId}`);
      await page.getByRole('heading', { name: 'Interested Tradies (1)' }).waitFor();
      await lose();
    });
    test.afterAll(find);

    /** Known to be without signal, the page tries nothing. */
    async function expectCallsOff(page: Page): Promise<void> {
      for (const name of ['Reset Password', 'Subscription', 'Where You’re Signed In'])
        await page.getByRole('region', { name }).getByText(whyOff).waitFor();
      expect(await page.getByRole('button', { name: 'Manage Billing' }).isDisabled()).toBe(true);
    }
    /** That the answer never comes is said half a minute later: the next test waits for it. */
    async function expectPasswordAsked(page: Page): Promise<void> {
      await page.getByLabel('New password').fill('another-password');
      await page.getByLabel('Confirm password').fill('another-password');
      await page.getByRole('button', { name: 'Update Password' }).click();
      await expect.poll(() => page.getByRole('button', { name: /Updating\.\.\./ }).count()).toBe(1);
      passwordAsked = page.getByText('The server could not be reached.').first().waitFor({ timeout: 180_000 });
    }
    async function expectSignInOff(page: Page): Promise<void> {
      await page.getByRole('link', { name: 'Login / Sign Up' }).first().click();
      await page.getByRole('dialog').getByText(whyOff).waitFor();
      const dialog = page.getByRole('dialog');
      for (const name of ['Continue', 'Forgot password?'])
        await expect(dialog.getByRole('button', { name })).toBeDisabled();
    }
    async function expectPasswordUnanswered(): Promise<void> {
      await passwordAsked;
      expect(await phone.page().getByLabel('New password').inputValue()).toBe('another-password');
    }

    test('what needs no server opens at once [§offline]', async () => {
      await heading(await open('/'), 'Connecting Homeowners & Tradies Across NZ');
      await heading(await open('/legal'), 'Terms of use and Privacy policy');
      await heading(await open('/no-such-page'), '404 Page Not Found');
      expect(await phone.page().getByText('Loading application...').count()).toBe(0);
    });

    test('jobs and tradies are found, filtered and read [§offline]', async () => {
      const page = await open('/find-jobs?max=50000');
      await page.getByRole('article').first().waitFor();
      await page.getByText(/^Updated /).waitFor();
      await page
        .getByRole('status')
        .getByText(isOffline ? /^Offline/ : /^(Slow connection|Can't reach Dwang)/)
        .waitFor();
      await page.getByRole('button', { name: /^Filters/ }).click();
      await page.getByRole('searchbox', { name: 'Search' }).fill('no job is called so');
      await page.getByText('No jobs found matching your criteria').waitFor();
      expect(await page.getByRole('article').count()).toBe(0);
      const visitors = await open('/find-tradies', stranger);
      await visitors.getByRole('article').first().waitFor();
      await visitors.getByText(/^Updated /).waitFor();
      await visitors.getByRole('button', { name: /^Filters/ }).click();
      await visitors.getByRole('searchbox', { name: 'Business name' }).fill('nobody is called so');
      await visitors.getByText('No tradies found matching your criteria').waitFor();
      expect(await visitors.getByRole('article').count()).toBe(0);
      if (isOffline) return;
      // It waits for most of a minute, on a phone of its own: the other tests go on meanwhile.
      signInAsked = open('/', stranger).then(expectSignInUnanswered);
      // The test of signing in throws it.
      signInAsked.catch(() => {});
    });

    test('the owner reads who is interested, edits the job and closes it', async () => {
      const page = await open(`/job/${jobId}`);
      await page.getByText('I have the hinges.').waitFor();
      expect(await page.locator('a[href^="tel:+64"]').count()).toBe(1);
      await page.getByRole('button', { name: 'Edit Job' }).click();
      await page.getByLabel(/Budget max/).fill('320');
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await page.getByText(savedForLater).waitFor();
      await page.getByText('$320').waitFor();
      await page.getByRole('button', { name: 'Close Job' }).click();
      await page.getByText('You can only edit your own jobs.').waitFor({ state: 'hidden' });
      await heading(page, 'Dashboard');
      expect(await page.getByText(/^(Job Updated!|Job closed)$/).count()).toBe(0);
    });

    test('a new job is posted, and another person’s job is answered', async () => {
      const page = await open('/post-job');
      await page.getByLabel('Title').fill(`${title} again`);
      await page.getByLabel('Description').fill('The other one.');
      await chooseTown(page, /town/i, 'winton');
      await page.getByRole('radio', { name: 'Slow - No rush' }).check({ force: true });
      await page.getByLabel('Category').selectOption('builder');
      await page.getByRole('button', { name: 'Post Job' }).click();
      await heading(page, 'Dashboard');
      await page.getByRole('link', { name: `${title} again` }).waitFor();
      await open(`/job/${answered}`);
      await page.getByRole('button', { name: 'Express Interest' }).click();
      await page.getByText(interestKept).waitFor();
      expect(await page.getByText('You have expressed interest in this job').count()).toBe(0);
    });

    test('the business profile is edited and read', async () => {
      const page = await open('/edit-tradie');
      await page.getByLabel('Business description').fill(`Written ${road}.`);
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await page.getByText(savedForLater).waitFor();
      await open(`/tradie/${tradieId}`);
      await page.getByText(`Written ${road}.`).waitFor();
      expect(await page.getByText('Profile Updated').count()).toBe(0);
    });

    test('a job is hidden and brought back, and saved for later; a search is saved; each at once', async () => {
      const page = await open(`/job/${other.id}`);
      await page.getByRole('button', { name: 'Not Interested' }).click();
      await heading(page, 'Find Jobs');
      const hidden = page.getByRole('button', { name: /^Hidden \(\d+\)$/ });
      await hidden.waitFor();
      // Until this is said, the Undo of the closing before may still be there.
      await page.getByText('Job hidden').first().waitFor();
      await page.getByRole('button', { name: 'Undo' }).click();
      await hidden.waitFor({ state: 'detached' });
      await open(`/job/${other.id}`);
      const before = await countWaiting(page);
      await page.getByRole('button', { name: 'Save for later' }).click();
      // It is shown at once, and a page that is left before it is written takes it along.
      await expect.poll(() => countWaiting(page)).toBe(before + 1);
      await open(`/find-jobs?q=${isOffline ? 'tap' : 'gate'}`);
      await page.getByRole('button', { name: 'Saved for later (1)' }).waitFor();
      await page.getByRole('button', { name: 'Save this search' }).click();
      await page.getByRole('status').getByText('Search saved').first().waitFor();
      const searches = page.getByRole('group', { name: 'Saved searches' });
      await searches.getByText(/Saved on this phone/).waitFor();
      await open(`/job/${other.id}`);
      await page.getByRole('button', { name: 'Saved for later' }).click();
      await expect(page.getByRole('button', { name: 'Save for later' })).toBeVisible();
      await expect.poll(() => countWaiting(page)).not.toBe(before + 2);
    });

    test('a page pulled down answers and stays', async () => {
      const page = await open('/dashboard');
      await page.getByRole('heading', { name: /^Your Posted Jobs/ }).waitFor();
      await page.evaluate(() => void Object.assign(globalThis, { isSame: true }));
      await pullDown(page);
      // A request that hangs is given up one day.
      const said = isOffline ? /^No signal/ : /^(No answer yet|Dwang can't be)/;
      await page.getByRole('status').getByText(said).first().waitFor();
      expect(await page.evaluate(() => (globalThis as unknown as { isSame?: boolean }).isSame)).toBe(true);
    });

    test('a new logo is discarded after a question; what may have left keeps its text, and offers no Cancel', async () => {
      const page = await open('/edit-tradie');
      await page.locator('input[type=file]').setInputFiles(makePhoto('logo.png', [20, 90, 60]));
      await page.locator('img[src^="blob:"]').waitFor();
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await page.getByText(savedForLater).waitFor();
      await open(`/job/${other.id}`);
      await page.getByLabel(/Note to the homeowner/).fill('I have the tools for it.');
      await page.getByRole('button', { name: 'Express Interest' }).click();
      await page.getByText(interestKept).waitFor();
      await open('/waiting');
      const logo = page.getByRole('region', { name: 'Logo' });
      await logo.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('button', { name: 'Discard it' }).click();
      await logo.waitFor({ state: 'detached' });
      const item = page.getByRole('article').filter({ hasText: 'I have the tools for it.' });
      await expect(item.getByRole('button', { name: 'Copy text' })).toBeVisible();
      // Cancelled before any byte could have left: keyboard.spec.ts.
      if (!isOffline) await item.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
    });

    test('the account is readable; password, devices and billing say why they wait', async () => {
      const page = await open('/edit-account');
      await page.getByLabel('First name').waitFor();
      await (isOffline ? expectCallsOff(page) : expectPasswordAsked(page));
    });

    test('signing in, asking for a new password and changing it fail with a message', async () => {
      if (isOffline) return expectSignInOff(await open('/', stranger));
      await must(signInAsked, 'a sign-in that was begun');
      await expectPasswordUnanswered();
    });

    test('once the network is back everything is on the server, each thing once', async () => {
      await find();
      const page = await open('/waiting');
      await page.getByText('Everything has been sent').waitFor({ timeout: 90_000 });
      if (!isOffline) {
        await stranger.page().getByRole('button', { name: 'Forgot password?' }).click();
        await stranger.page().getByText('Password reset sent').first().waitFor();
      }
      const own = (
        await api.get<{ title: string; status: string; budgetMax: number | null }[]>('/api/jobs?type=my-jobs')
      ).filter((job) => job.title.startsWith(title));
      expect(Object.fromEntries(own.map((job) => [job.title, [job.status, job.budgetMax]]))).toEqual({
        [title]: ['closed', 320],
        [`${title} again`]: ['active', null],
      });
      expect(own).toHaveLength(2);
      const interests = await api.get<{ jobId: string }[]>('/api/tradies/me/interests');
      for (const id of [answered, other.id]) expect(interests.filter((one) => one.jobId === id)).toHaveLength(1);
      const profile = await api.get<{ description: string; logo: string | null }>('/api/tradies/me');
      expect(profile.description).toBe(`Written ${road}.`);
      expect(profile.logo).toBe(logoBefore);
    });
  });
