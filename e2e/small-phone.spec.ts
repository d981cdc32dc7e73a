import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type CDPSession, type Page } from '@playwright/test';
import { must } from '../shared/lib/must.ts';
import { browserPeak, memoryLimits, withMemoryLimit } from './browser-memory.ts';
import { long } from './test-options.ts';
import { openDevice, type Device } from './open-device.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { chooseTown, demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * A small, slow phone: its thread is four times, and six times, slower than this machine's, and a job's five photos are
 * of 12 megapixels each. One that is drawn takes 48 MB for its pixels alone, so only one may be drawn at a time, and
 * its pixels are given back before the next. Compared within one run: five that are picked at once take no more of the
 * tab's memory, at their peak, than the one that was picked before them. No process of the browser gets more than 2 GB,
 * and all of them together stay below that from their start on.
 */

const slowdowns = [4, 6];
/**
 * In MB: the pixels of one photo. Five that are drawn at once, or given back only with the garbage, take four times as
 * much more.
 */
const unpacked = 48;
/** What such a phone has, in MB. */
const inAll = 2_000;

let server: RunningServer;
let phone: Device;
let page: Page;
let browser: CDPSession;
let folder: string;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwang-photos-'));
  server = await openServer();
  phone = await openDevice(server.url, '/', undefined, withMemoryLimit(inAll));
  page = phone.page();
  browser = await must(page.context().browser(), 'the browser').newBrowserCDPSession();
  await signIn(page, demo('homeowner'));
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

/** Ids of the processes of the browser's tabs. */
async function tabs(): Promise<number[]> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
}

/** In MB: what the app's tab has in memory, and the most that it had since `forgetPeak`. */
async function memory(): Promise<{ now: number; peak: number }> {
  const all = await Promise.all(
    (await tabs()).map(async (id) => {
      const status = await readFile(`/proc/${id}/status`, 'utf8');
      const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_000;
      return { now: of('VmRSS'), peak: of('VmHWM') };
    }),
  );
  return must(all.toSorted((one, other) => other.peak - one.peak)[0], 'a tab');
}

async function forgetPeak(): Promise<void> {
  await Promise.all((await tabs()).map((id) => writeFile(`/proc/${id}/clear_refs`, '5')));
}

/** Runs in the page: a JPEG as a camera makes it, 4,000 by 3,000, as a text. */
async function takePhoto(): Promise<string> {
  const small = document.createElement('canvas');
  [small.width, small.height] = [1_000, 750];
  const pencil = small.getContext('2d')!;
  const pixels = pencil.createImageData(small.width, small.height);
  for (let at = 0; at < pixels.data.length; at += 1) pixels.data[at] = at % 4 === 3 ? 255 : (at * 2_654_435_761) >>> 24;
  pencil.putImageData(pixels, 0, 0);
  const large = new OffscreenCanvas(4_000, 3_000);
  large.getContext('2d')!.drawImage(small, 0, 0, 4_000, 3_000);
  const bytes = new Uint8Array(await (await large.convertToBlob({ type: 'image/jpeg', quality: 0.9 })).arrayBuffer());
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

interface Seen {
  said: string[];
  most: number;
}

/** Takes all out again, and forgets what was said meanwhile. */
async function removePhotos(): Promise<void> {
  const remove = page.getByRole('button', { name: /^Remove photo/ });
  while ((await remove.count()) > 0) await remove.first().click();
  await page.evaluate(() => Object.assign((window as unknown as { seen: Seen }).seen, { said: [], most: 0 }));
}

/** Runs in the page: notes what its status says, and how many drawn photos are being made a file at once. */
function watchPicking(): void {
  const seen: Seen = { said: [], most: 0 };
  Object.assign(window, { seen });
  new MutationObserver(() => {
    const said = document.querySelector('fieldset [role=status]')?.textContent ?? '';
    if (said !== '' && seen.said.at(-1) !== said) seen.said.push(said);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
  let underWay = 0;
  const { toBlob } = HTMLCanvasElement.prototype;
  const { convertToBlob } = OffscreenCanvas.prototype;
  OffscreenCanvas.prototype.convertToBlob = function (how) {
    underWay += 1;
    seen.most = Math.max(seen.most, underWay);
    return convertToBlob.call(this, how).finally(() => (underWay -= 1));
  };
  HTMLCanvasElement.prototype.toBlob = function (done, ...how) {
    underWay += 1;
    seen.most = Math.max(seen.most, underWay);
    return toBlob.call(this, (blob) => ((underWay -= 1), done(blob)), ...how);
  };
}

/** Picks so many photos at once. Answers by how many MB the tab grew at its peak, from what it had before. */
async function growthWith(photos: number, already: number): Promise<number> {
  await forgetPeak();
  const { now: before } = await memory();
  const names = Array.from({ length: photos }, (_, at) => join(folder, `${already + at}.jpg`));
  await page.locator('input[type=file]:not([capture])').setInputFiles(names);
  const all = already + photos;
  await page.getByText(new RegExp(`^${all} photos? added`)).waitFor({ timeout: 240_000 });
  return Math.round((await memory()).peak - before);
}

test(
  'five photos of 12 megapixels on a slow phone: drawn one after the other, with progress said, in the memory that one takes, all within 2 GB',
  long,
  async () => {
    const crashes: string[] = [];
    page.on('crash', () => crashes.push('crashed'));
    // In a tab of its own, whose memory is not the app's.
    const camera = await page.context().newPage();
    const photo = Buffer.from(await camera.evaluate(takePhoto), 'latin1');
    await camera.close();
    // On the disk: bytes that the driver passes are unpacked by the page, in the memory that is measured.
    for (let number = 0; number < 5; number += 1) await writeFile(join(folder, `${number}.jpg`), photo);
    await page.goto(`${server.url}/post-job`);
    await page.getByRole('heading', { level: 1, name: 'Post a Job' }).waitFor();
    await page.getByLabel('Title').fill('Five large photos');
    await page.getByLabel('Description').fill('Taken with the camera as it is.');
    await chooseTown(page, /town/i, 'winton');
    await page.getByRole('radio', { name: 'Slow - No rush' }).check({ force: true });
    await page.getByLabel('Category').selectOption('builder');
    const thread = await page.context().newCDPSession(page);
    const slowTo = (rate: number) => thread.send('Emulation.setCPUThrottlingRate', { rate });
    await slowTo(Math.max(...slowdowns));
    const one = await growthWith(1, 0);
    await page.evaluate(watchPicking);
    for (const slowdown of slowdowns) {
      await slowTo(slowdown);
      await removePhotos();
      const five = await growthWith(5, 0);
      const { said, most } = await page.evaluate(() => (window as unknown as { seen: Seen }).seen);
      process.stdout.write(
        `photos of 12 megapixels, ${slowdown} times slower: one takes ${one} MB, five take ${five} MB\n`,
      );
      const counts = said
        .map((words) => words.replace(/ photos.*/, ''))
        .filter((words) => /^[1-5] of 5$|^5$/.test(words));
      expect(counts).toEqual(['1 of 5', '2 of 5', '3 of 5', '4 of 5', '5']);
      expect(most).toBe(1);
      expect(five).toBeLessThan(one + unpacked);
    }
    const peak = await browserPeak(page);
    process.stdout.write(`all of the browser: at most ${peak} MB\n`);
    expect(new Set(await memoryLimits(page))).toEqual(new Set([inAll]));
    expect(peak).toBeGreaterThan(100);
    expect(peak).toBeLessThan(inAll);
    await page.getByRole('button', { name: 'Post Job' }).click();
    await page.getByText('Job Posted!').or(page.getByText('Saved on this phone')).first().waitFor();
    expect(crashes).toEqual([]);
  },
);
