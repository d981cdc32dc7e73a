import { expect } from '@playwright/test';
import { signedIn } from './account.ts';
import { long } from './test-options.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { chooseTown, demo, giveCredentials } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Every flow that no other test covers with signal, in the built app: every route, a job of one's own from posting to
 * closing, the jobs of others from filter to interest, the profile. Signing up, mail and payment have tests of their
 * own.
 */

const tradie = demo('tradie');
const title = 'Level the chook run';
const ownTitle = 'Stand the back fence up again';

let server: RunningServer;
let phone: Device;
let api: Awaited<ReturnType<typeof signedIn>>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  api = await signedIn(server, tradie.email, tradie.password);
  phone = await openDevice(server.url);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

const main = () => phone.page().getByRole('main');
const heading = (name: string | RegExp) => phone.page().getByRole('heading', { level: 1, name });
const ownJobs = () =>
  api.get<{ id: string; title: string; status: string; budgetMax: number | null }[]>('/api/jobs?type=my-jobs');

test('without a session requests carry the public key [§6]', async () => {
  const page = phone.page();
  const { supabaseAnonKey } = (await (await fetch(`${server.url}/api/config`)).json()) as { supabaseAnonKey: string };
  const [job] = await api.get<{ id: string; title: string }[]>('/api/jobs');
  const asked = page.waitForRequest((request) => request.url() === `${server.url}/api/jobs/${job?.id}`);
  await page.goto(`${server.url}/job/${job?.id}`);
  expect((await asked).headers()['authorization']).toBe(`Bearer ${supabaseAnonKey}`);
  await heading(job?.title ?? '').waitFor();
  await main().getByRole('button', { name: 'Sign In' }).waitFor();
});

test('a job’s link leads through signing in, and back to the job', async () => {
  const page = phone.page();
  const address = page.url();
  const name = await page.getByRole('heading', { level: 1 }).innerText();
  await main().getByRole('button', { name: 'Sign In' }).click();
  // Its code is fetched only now, or was cached: either way it is this press that opens it.
  await page.getByRole('dialog').waitFor();
  await giveCredentials(page, tradie);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await main()
    .getByText(/Express Interest|You have expressed interest/)
    .first()
    .waitFor();
  await heading(name).waitFor();
  expect(page.url()).toBe(address);
  // The button that was pressed is gone; the screen reader goes on from what replaced it.
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
});

test('every route of the specification opens, signed in as a person who may see it [§2]', long, async () => {
  const page = phone.page();
  const { tradieId } = await api.get<{ tradieId: string }>('/api/users/me');
  const place = { locationId: 'southland/winton', categoryId: 'builder' };
  await api.post('/api/jobs', { title: ownTitle, description: 'Three panels came down.', urgency: 'slow', ...place });
  const own = (await ownJobs()).find((job) => job.title === ownTitle);
  expect(own?.status).toBe('active');
  const other = (await api.get<{ id: string; title: string }[]>('/api/jobs')).find((job) => job.id !== own?.id);
  const profile = await api.get<{ businessName: string }>('/api/tradies/me');
  const routes: [string, string][] = [
    ['/', 'Connecting Homeowners & Tradies Across NZ'],
    ['/find-tradies', 'Find Tradies'],
    ['/legal', 'Terms of use and Privacy policy'],
    ['/dashboard', 'Dashboard'],
    ['/post-job', 'Post a Job'],
    ['/find-jobs', 'Find Jobs'],
    [`/job/${other?.id}`, other?.title ?? ''],
    [`/edit-job/${own?.id}`, 'Edit Job'],
    [`/tradie/${tradieId}`, profile.businessName],
    ['/edit-tradie', 'Edit Profile'],
    ['/edit-account', 'Manage Account'],
    ['/become-tradie', 'Become a Tradie'],
    ['/no-such-page', '404 Page Not Found'],
  ];
  for (const [path, name] of routes) {
    await page.goto(`${server.url}${path}`);
    await heading(name).waitFor();
  }
  await page.goto(`${server.url}/edit-job/${own?.id}`);
  await expect.poll(() => main().getByLabel('Title').inputValue()).toBe(ownTitle);
});

test('the menu is walked by its first letters [§9]', async () => {
  const page = phone.page();
  await page.getByRole('button', { name: 'Your account' }).focus();
  await page.keyboard.press('Enter');
  // A letter acts only where the focus is.
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toMatch(/^menu/);
  await page.keyboard.press('s');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Sun mode');
  await page.keyboard.press('Escape');
});

test('a job of one’s own: posted, edited, closed', long, async () => {
  const page = phone.page();
  await page.goto(`${server.url}/post-job`);
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('On a slope. Two truckloads.');
  await chooseTown(page, /town/i, 'winton');
  await page.getByRole('radio', { name: 'Slow - No rush' }).check({ force: true });
  await page.getByLabel('Category').selectOption('builder');
  await page.getByRole('button', { name: 'Post Job' }).click();
  // A slow server gets another word first, and no banner.
  const word = await page
    .getByRole('status')
    .getByText(/^(Job Posted!|Saved on this phone\. )/)
    .first()
    .innerText();
  if (word === 'Job Posted!')
    await page.getByText('Easy as! Tradies can see your posted job and will express interest, sorted.').waitFor();
  else await page.getByText('Job Posted!').waitFor();
  await page.getByRole('link', { name: title }).click();
  await page.getByRole('button', { name: 'Edit Job' }).click();
  await page.getByLabel(/Budget max/).fill('850');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Job Updated!').waitFor();
  await heading(title).waitFor();
  await main().getByText('$850').waitFor();
  await page.getByRole('button', { name: 'Close Job' }).click();
  await page.getByText('Job closed').waitFor();
  await heading('Dashboard').waitFor();
  expect((await ownJobs()).filter((job) => job.title === title)).toMatchObject([{ status: 'closed', budgetMax: 850 }]);
});

test('a tradie finds jobs, narrows them and expresses interest [§2 /find-jobs]', async () => {
  const page = phone.page();
  await page.goto(`${server.url}/find-jobs`);
  const cards = main().getByRole('article');
  await cards.first().waitFor();
  const lines = await cards
    .locator('p')
    .first()
    .evaluate((text) => Math.round(text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight)));
  expect(lines).toBeLessThanOrEqual(2);
  const answered = new Set((await api.get<{ jobId: string }[]>('/api/tradies/me/interests')).map(({ jobId }) => jobId));
  const fresh = (await api.get<{ id: string; title: string; userId?: string }[]>('/api/jobs')).find(
    (job) => job.userId === undefined && !answered.has(job.id),
  );
  await page.getByRole('button', { name: /^Filters/ }).click();
  await page.getByRole('button', { name: 'Reset filters' }).click();
  await page.getByRole('searchbox', { name: 'Search' }).fill(fresh?.title ?? '');
  await page.getByRole('button', { name: 'Show jobs' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(fresh?.title);
  await main()
    .getByRole('link', { name: fresh?.title ?? '' })
    .first()
    .click();
  await page.getByRole('button', { name: 'Express Interest' }).click();
  await page.getByRole('status').getByText('Interest expressed', { exact: true }).waitFor();
  await page.getByText('You have expressed interest in this job').waitFor();
  await page.goBack();
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe(fresh?.title);
  await main().getByText('Interest Expressed', { exact: true }).first().waitFor();
});

test('a profile is edited, and visitors read the new one', async () => {
  const page = phone.page();
  await page.goto(`${server.url}/edit-tradie`);
  await page.getByLabel('Business description').fill('Gates that close by themselves.');
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await page.getByText('Profile Updated').waitFor();
  const { tradieId } = await api.get<{ tradieId: string }>('/api/users/me');
  const open = (await (await fetch(`${server.url}/api/tradies/${tradieId}`)).json()) as { description: string };
  expect(open.description).toBe('Gates that close by themselves.');
});
