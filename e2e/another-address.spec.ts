import { randomUUID } from 'node:crypto';
import { chromium, expect, type Page } from '@playwright/test';
import { launchOptions } from '../scripts/find-chromium.ts';
import { signedIn } from './account.ts';
import type { Part, Tab } from './engines/tab.ts';
import { long } from './test-options.ts';
import { makePhoto } from './make-photo.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { chooseTown, demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * The app is open at another address than the server has as its own: a second name of the host, another port, a phone
 * in the same network. What is stored of a picture is its path, so it is accepted, and shown, where the app is, and
 * stays when the server's address changes; one that waits on a phone meanwhile is sent as if nothing had changed.
 */

const homeowner = demo('homeowner');
const tradie = demo('tradie');
const settings = { PUBLIC_URL: 'http://localhost:1' };

let server: RunningServer;
let phone: Device<Tab>;
/** The same server under its second name. To a browser that is another site, with storage of its own. */
let second: string;
let first: Tab;
let other: Tab;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer(settings);
  second = server.url.replace('localhost', '127.0.0.1');
  phone = await openPhone(server.url);
  first = phone.page();
  await signIn(first, homeowner);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

async function postWithPhoto(page: Tab, title: string): Promise<void> {
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await page.getByRole('link', { name: 'Post a New Job' }).click();
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Description').fill('It leans into the hedge.');
  await chooseTown(page, /town/i, 'winton');
  await page.getByRole('radio', { name: 'Soon - Within 2 weeks' }).check({ force: true });
  await page.getByLabel('Category').selectOption('builder');
  await page.locator('input[type=file]:not([capture])').setInputFiles([makePhoto('letterbox.png', [120, 80, 40])]);
  await page.getByText('1 photo added').waitFor();
  await page.getByRole('button', { name: 'Post Job' }).click();
}

interface Posted {
  id: string;
  title: string;
  images: string[];
}

async function posted(title: string): Promise<Posted | undefined> {
  const api = await signedIn(server, homeowner.email, homeowner.password);
  return (await api.get<Posted[]>('/api/jobs?type=my-jobs')).find((job) => job.title === title);
}

/** The job with its one photo, as soon as the server has both. */
async function arrived(title: string): Promise<Posted> {
  await expect.poll(async () => (await posted(title))?.images.length).toBe(1);
  return (await posted(title))!;
}

/** Which origin this picture comes from, and whether there is a picture at that address. */
async function expectShown(page: Tab, picture: Part, origin: string): Promise<void> {
  await picture.waitFor();
  const src = await picture.getAttribute('src');
  const shown = await page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    return [image.naturalWidth > 0, new URL(image.src).origin];
  }, src ?? '');
  expect(shown).toEqual([true, origin]);
}

const photoOf = (page: Tab) => page.locator('button[aria-label="Enlarge photo 1 of 1"] img');

/** Opens the page anew and expects the job's photo there. */
async function expectPhotoAt(page: Tab, origin: string, { id }: Posted): Promise<void> {
  await page.goto(`${origin}/job/${id}`);
  await expectShown(page, photoOf(page), origin);
}

const firstTitle = 'Straighten the letterbox';
const secondTitle = 'Straighten the other letterbox';

test('a photo taken while the app is open at another address is sent, and shown there', long, async () => {
  await postWithPhoto(first, firstTitle);
  const job = await arrived(firstTitle);
  expect(job.images[0]).toMatch(
    new RegExp(`^${settings.PUBLIC_URL}/storage/v1/object/public/job-photos/${job.id}/[0-9]+-letterbox[.]`),
  );
  await expectPhotoAt(first, server.url, job);
});

test(
  'at the server’s second name the photos of the first are shown, and one taken there is accepted, and shown at both',
  long,
  async () => {
    other = await phone.newTab(`${second}/`);
    await signIn(other, homeowner);
    await expectPhotoAt(other, second, await arrived(firstTitle));
    await postWithPhoto(other, secondTitle);
    const job = await arrived(secondTitle);
    await expectPhotoAt(other, second, job);
    await expectPhotoAt(first, server.url, job);
  },
);

test(
  'after the server’s own address has changed all photos are shown as before, at either name, and the next one is accepted',
  long,
  async () => {
    await moveTo('http://localhost:2');
    for (const title of [firstTitle, secondTitle]) {
      const job = await arrived(title);
      expect(job.images[0]).toContain(`${settings.PUBLIC_URL}/storage/v1/object/public/job-photos/${job.id}/`);
      await expectPhotoAt(first, server.url, job);
      await expectPhotoAt(other, second, job);
    }
    const third = 'Straighten the third letterbox';
    await postWithPhoto(other, third);
    await expectPhotoAt(first, server.url, await arrived(third));
  },
);

/** What the server calls its own address changes while it is down. */
async function moveTo(address: string): Promise<void> {
  await server.stop();
  settings.PUBLIC_URL = address;
  await server.start();
}

test(
  'photos that wait on the phone while the server’s own address changes are sent, once, from either name, and shown at both',
  long,
  async () => {
    for (const page of [first, other]) await untilInstalled({ ...phone, page: () => page });
    await phone.setSignal(false);
    const waiting = [
      [first, 'Straighten the letterbox that waited'],
      [other, 'Straighten the other letterbox that waited'],
    ] as const;
    for (const [page, title] of waiting) {
      await postWithPhoto(page, title);
      await page.getByText('Saved on this phone', { exact: false }).first().waitFor();
    }
    await moveTo('http://localhost:3');
    await phone.kill();
    first = await phone.start('/dashboard');
    other = await phone.newTab(`${second}/dashboard`);
    for (const page of [first, other]) await page.getByText('Saved on this phone').first().waitFor();
    await phone.setSignal(true);
    for (const [, title] of waiting) {
      const job = await arrived(title);
      expect(job.images[0]).toContain(`http://localhost:3/storage/v1/object/public/job-photos/${job.id}/`);
      await expectPhotoAt(first, server.url, job);
      await expectPhotoAt(other, second, job);
    }
    const titles: string[] = waiting.map(([, title]) => title);
    const api = await signedIn(server, homeowner.email, homeowner.password);
    const mine = await api.get<Posted[]>('/api/jobs?type=my-jobs');
    expect(
      mine
        .filter(({ title }) => titles.includes(title))
        .map(({ title }) => title)
        .toSorted(),
    ).toEqual(titles.toSorted());
  },
);

/**
 * Runs in the page. Photos whose bytes are in storage and which wait to be their job's: by their path, as this app has
 * written it, or by an address before it, as an older one did.
 */
async function nameAttached(address: string): Promise<string[]> {
  const finished = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'));
    });
  const name = (await indexedDB.databases())
    .map((database) => database.name ?? '')
    .find((one) => /^dwang-[0-9a-f-]{36}$/.test(one));
  const db = await finished(indexedDB.open(name ?? ''));
  try {
    const outbox = db.transaction('outbox', 'readwrite').objectStore('outbox');
    const entries = (await finished(outbox.getAll())) as { name: string; args: { url: string } }[];
    const attached = entries.filter((entry) => entry.name === 'photo.attach');
    for (const entry of attached) {
      entry.args.url = `${address}${entry.args.url}`;
      await finished(outbox.put(entry));
    }
    return attached.map(({ args }) => args.url);
  } finally {
    db.close();
  }
}

test(
  'photos that were uploaded before the server’s own address changes, and are the job’s only after it, are shown; an older app’s, which named them by that address, too',
  long,
  async () => {
    const older = `${settings.PUBLIC_URL}/storage/v1/object/public/`;
    const context = (first as Page).context();
    // Under these names nothing more is sent: each job is, its photo's bytes are, and no more.
    const cutOff = new Set<string>();
    let uploads = 0;
    const jobs = [
      [first, 'Straighten the letterbox that was under way', older],
      [other, 'Straighten the other letterbox that was under way', ''],
    ] as const;
    await context.route('**/storage/v1/object/job-photos/**', async (route) => {
      cutOff.add(new URL(route.request().url()).origin);
      const response = await route.fetch();
      uploads += 1;
      await route.fulfill({ response });
    });
    await context.route('**/api/sync', (route) =>
      cutOff.has(new URL(route.request().url()).origin) ? route.abort() : route.continue(),
    );
    for (const [at, [page, title, address]] of jobs.entries()) {
      await postWithPhoto(page, title);
      await expect.poll(() => uploads).toBe(at + 1);
      await expect.poll(() => page.evaluate(nameAttached, '')).toHaveLength(1);
      expect(await page.evaluate(nameAttached, address)).toEqual([expect.stringContaining(`${address}job-photos/`)]);
    }
    await context.unroute('**/storage/v1/object/job-photos/**');
    await moveTo('http://localhost:4');
    for (const [, title] of jobs) expect((await posted(title))?.images).toEqual([]);
    await context.unroute('**/api/sync');
    for (const [page, title] of jobs) {
      await page.evaluate(() => window.dispatchEvent(new Event('online')));
      const job = await arrived(title);
      expect(job.images[0]).toContain(`http://localhost:4/storage/v1/object/public/job-photos/${job.id}/`);
      await expectPhotoAt(first, server.url, job);
      await expectPhotoAt(other, second, job);
    }
  },
);

test('a logo given by the address of one name is shown under each', long, async () => {
  const api = await signedIn(server, tradie.email, tradie.password);
  const { id } = await api.get<{ id: string }>('/api/tradies/me');
  const picture = makePhoto('logo.png', [20, 90, 60]);
  const path = `tradie-logos/${randomUUID()}/logo.png`;
  await api.upload(path, picture.buffer, picture.mimeType);
  await api.patch(`/api/tradies/${id}`, { logo: `${second}/storage/v1/object/public/${path}` });
  for (const [page, origin] of [
    [first, server.url],
    [other, second],
  ] as const) {
    await page.goto(`${origin}/tradie/${id}`);
    await expectShown(page, page.locator(`main img[src$="${path}"]`), origin);
  }
});

test(
  'at a plain http address of another machine, where browsers save nothing for an app, the sign-in says so and takes no password',
  long,
  async () => {
    // Chromium alone can be told a name of the host for a test; the others have no such names that are not secure.
    const { args, ...options } = launchOptions();
    const browser = await chromium.launch({
      ...options,
      args: [...(args ?? []), '--host-resolver-rules=MAP phone.test 127.0.0.1'],
    });
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
      await page.goto(server.url.replace('localhost', 'phone.test'));
      await page.getByRole('link', { name: 'Login / Sign Up' }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Open Dwang at its address that begins with https.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Continue' }).isEnabled()).toBe(false);
    } finally {
      await browser.close();
    }
  },
);
