import { expect, type Page } from '@playwright/test';
import { signedIn } from './account.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * A closed job stays closed, so Close Job is held on the phone for ten seconds: with and without
 * signal, over a reload, and where the phone kills the app meanwhile.
 */

const owner = demo('homeowner');

let server: RunningServer;
let phone: Device;
let api: Awaited<ReturnType<typeof signedIn>>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  api = await signedIn(server, owner.email, owner.password);
  phone = await openDevice(server.url);
  await signIn(phone.page(), owner);
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

const jobs = () => api.get<{ id: string; title: string; status: string }[]>('/api/jobs?type=my-jobs');
const statusOf = async (title: string) => (await jobs()).find((job) => job.title === title)?.status;

/** A new job, open on the phone. */
async function openJob(title: string): Promise<{ page: Page; path: string }> {
  const place = { locationId: 'southland/winton', categoryId: 'builder' };
  await api.post('/api/jobs', { title, description: 'It drags.', urgency: 'slow', ...place });
  const path = `/job/${(await jobs()).find((job) => job.title === title)?.id}`;
  const page = phone.page();
  await page.goto(`${server.url}${path}`);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  // By its link the job is there before the phone knows that it is the person's own.
  await page.getByRole('button', { name: 'Close Job' }).waitFor();
  return { page, path };
}

const close = (page: Page) => page.getByRole('button', { name: 'Close Job' }).click();
const undo = (page: Page) => page.getByRole('button', { name: 'Undo' });

test('Undo after a reload: the job stays open', async () => {
  const title = 'Rehang the barn door';
  const { page } = await openJob(title);
  await close(page);
  await page.getByText(/^Closing in \d+ seconds?\./).waitFor();
  await page.reload();
  await undo(page).click();
  await page.getByText('Your job stays open to tradies.').waitFor();
  await page.getByText('active', { exact: true }).waitFor();
  expect(await statusOf(title)).toBe('active');
});

test('killed while it is held: started again, without signal too, the job is closed when the time is over', async () => {
  const title = 'Straighten the letterbox';
  const { page, path } = await openJob(title);
  await phone.setSignal(false);
  await close(page);
  await undo(page).waitFor();
  await phone.kill();
  expect(await statusOf(title)).toBe('active');
  const again = await phone.start(path);
  await again.getByText('Saved on this phone', { exact: true }).waitFor();
  expect(await again.getByText('Job closed').count()).toBe(0);
  expect(await statusOf(title)).toBe('active');
  await phone.setSignal(true);
  // No toast is waited for: a worker that was woken before the page may have made the closing, and the page then shows
  // the state alone.
  await again.getByText('Saved on this phone', { exact: true }).waitFor({ state: 'hidden' });
  await expect.poll(() => statusOf(title)).toBe('closed');
  await again.goto(`${server.url}${path}`);
  await again.getByText('Closed', { exact: true }).waitFor();
});

test('elsewhere in the app the way back is in reach, and by keyboard Undo is the next stop', async () => {
  const { page } = await openJob('Paint the back fence');
  await page.getByRole('button', { name: 'Close Job' }).focus();
  await page.keyboard.press('Enter');
  await undo(page).waitFor();
  await page.keyboard.press('Tab');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Undo');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByText('Closing “Paint the back fence”').waitFor();
  await undo(page).click();
  await page.getByText('Your job stays open to tradies.').waitFor();
  expect(await statusOf('Paint the back fence')).toBe('active');
});
