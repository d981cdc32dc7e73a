import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import { seededRandom } from '../shared/testing/random-source.ts';
import { signedIn } from './account.ts';
import { checkJournal, nothingWrong } from './check-journal.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { ownHomeowner } from './own-homeowner.ts';
import { beginWriting, countWaiting, createJournal, holdWrite, planChains, type Chain } from './page-writer.ts';
import { signIn, untilInstalled, type Credentials } from './person.ts';
import { longElsewhere } from './test-options.ts';
import { test } from './shared-server.ts';

/*
 * Pages and browsers that end in the middle of something, in Firefox and WebKit. A page that is left for another site,
 * by a link or by an address that is typed: WebKit keeps it, in a process of its own, with what it has begun in the
 * storage. And a browser that is killed: it may leave files of its Cache Storage cut short, and says so at every read
 * after it (“Failed reading data from the file system” in WebKit). The app's own files are in there.
 */

const journal = createJournal();
const planned: Chain[] = [];
let server: RunningServer;
let homeowner: Credentials;
let other: Server;
/** Of another host, and so of another site. */
let otherSite: string;
let phone: Device<Tab>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  server = await shareServer();
  homeowner = await ownHomeowner(server, 'Aroha');
  other = createServer((_asked, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.end('<!doctype html><title>The ferry</title><h1>The next ferry leaves at ten.</h1>');
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  otherSite = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  phone = await openPhone(server.url, '/', journal.hear);
  await signIn(phone.page(), homeowner);
  await untilInstalled(phone);
});
test.afterAll(async () => {
  await phone?.close();
  other?.closeAllConnections();
  other?.close();
});

const saved = () => journal.entries.filter(({ word }) => word === 'saved').length;

/**
 * Leaves the app in the middle of writing, and comes back: it reads and writes, and what it had shown as saved arrives
 * once.
 */
async function expectLeftWhole(seed: number, leave: (page: Tab) => Promise<unknown>): Promise<void> {
  const page = phone.page();
  const chains = planChains(seededRandom(seed), `Written before going on ${seed}`, 30);
  planned.push(...chains);
  const before = saved();
  await beginWriting(page, chains);
  await journal.untilSaved(before + 3);
  // Open until its page is ended, so that the page cannot be left between two writes.
  expect(await holdWrite(page, 'drafts', 20_000)).toBe(true);
  await leave(page);
  await page.getByRole('heading', { name: 'The next ferry leaves at ten.' }).waitFor();
  await page.goto(`${server.url}/dashboard`);
  await page.getByRole('heading', { name: /^Your Posted Jobs \([1-9]/ }).waitFor();
  expect(await holdWrite(page, 'profiles', 20_000)).toBe(true);
  // The hold goes with its page.
  await page.goto(`${server.url}/dashboard`);
  await expect.poll(() => countWaiting(page), { timeout: 60_000, intervals: [100] }).toBe(0);
  const api = await signedIn(server, homeowner.email, homeowner.password);
  expect(await checkJournal(api, planned, journal.entries, true)).toEqual(nothingWrong);
}

test(
  'a page that is left by a link to another site in the middle of writing keeps the next one from nothing, and loses nothing',
  longElsewhere,
  () => expectLeftWhole(1, (page) => page.evaluate((address) => window.location.assign(address), otherSite)),
);

test(
  'a page that is left by another site’s address in the middle of writing keeps the next one from nothing, and loses nothing',
  longElsewhere,
  () => expectLeftWhole(2, (page) => page.goto(otherSite)),
);

test(
  'a browser that cannot read the app’s files any more: the app opens from the network, signed in, instead of never again',
  longElsewhere,
  async () => {
    await phone.kill('torn');
    const page = await phone.start('/dashboard');
    await expect.poll(() => page.getByRole('heading', { name: /Your Posted Jobs \([1-9]/ }).count()).toBe(1);
  },
);
