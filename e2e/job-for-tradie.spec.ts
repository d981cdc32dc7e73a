import { expect, type CDPSession, type Page } from '@playwright/test';
import { signedIn } from './account.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { demo, signIn } from './person.ts';
import { test } from './shared-server.ts';

/*
 * A job on a tradie's phone: what one decides is at hand from the first look on, and the photos are for fingers: along
 * the strip, two to enlarge, down to put away, and Back.
 */

const title = 'Leaking shower, water showing on the ceiling below';

let server: RunningServer;
let phone: Device;
let page: Page;
let fingers: CDPSession;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  server = await openServer();
  phone = await openDevice(server.url);
  page = phone.page();
  fingers = await page.context().newCDPSession(page);
  await signIn(page, demo('tradie'));
  const { email, password } = demo('tradie');
  const jobs = await (await signedIn(server, email, password)).get<{ id: string; title: string }[]>('/api/jobs');
  await page.goto(`${server.url}/job/${jobs.find((job) => job.title === title)?.id}`);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
});

type Touch = { x: number; y: number };
const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: Touch[]) =>
  fingers.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point, id) => ({ ...point, id })) });

/** Each finger from its first point to its last, in small steps. */
async function slide(...paths: { from: Touch; to: Touch }[]): Promise<void> {
  const steps = 8;
  await touch('touchStart', ...paths.map(({ from }) => from));
  for (let at = 1; at <= steps; at += 1)
    await touch(
      'touchMove',
      ...paths.map(({ from, to }) => ({
        x: from.x + ((to.x - from.x) * at) / steps,
        y: from.y + ((to.y - from.y) * at) / steps,
      })),
    );
  await touch('touchEnd');
}

const enlarge = (photo: number) => page.getByRole('button', { name: `Enlarge photo ${photo} of` }).click();
const dialog = (photo: number) => page.getByRole('dialog', { name: new RegExp(`^Photo ${photo} of`) });
const scaleOf = () =>
  page
    .getByRole('dialog')
    .getByRole('img')
    .evaluate((image) => new DOMMatrix(getComputedStyle(image).transform).a);

test('Express Interest and Not Interested are in the window at once and wherever the page is scrolled to', async () => {
  const express = page.getByRole('button', { name: 'Express Interest' });
  await express.waitFor();
  for (const top of [0, 99_999]) {
    await page.evaluate((to) => window.scrollTo(0, to), top);
    for (const name of ['Express Interest', 'Not Interested']) {
      const box = await page.getByRole('button', { name }).boundingBox();
      expect(box?.y).toBeGreaterThan(740);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(844);
    }
  }
  // The navigation has made room, and the note is above the bar.
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden();
  const note = await page.getByLabel(/Note to the homeowner/).boundingBox();
  expect((note?.y ?? 0) + (note?.height ?? 0)).toBeLessThan((await express.boundingBox())?.y ?? 0);
});

test('two fingers enlarge a photo and one finger then moves it; over the whole photo one goes on to the next', async () => {
  await page.evaluate(() => window.scrollTo(0, 0));
  await enlarge(1);
  await dialog(1).waitFor();
  await slide(
    { from: { x: 190, y: 400 }, to: { x: 90, y: 400 } },
    { from: { x: 210, y: 400 }, to: { x: 310, y: 400 } },
  );
  await expect.poll(scaleOf).toBeGreaterThan(2);
  await slide({ from: { x: 300, y: 400 }, to: { x: 100, y: 420 } });
  await dialog(1).waitFor();
  await page.keyboard.press('ArrowRight');
  await dialog(2).waitFor();
  await expect.poll(scaleOf).toBe(1);
  await slide({ from: { x: 100, y: 400 }, to: { x: 300, y: 410 } });
  await dialog(1).waitFor();
});

test('a finger down puts the photo away; so does Back, which stays on the job', async () => {
  await slide({ from: { x: 200, y: 300 }, to: { x: 210, y: 600 } });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const address = page.url();
  await enlarge(1);
  await dialog(1).waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(page.url()).toBe(address);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
});
