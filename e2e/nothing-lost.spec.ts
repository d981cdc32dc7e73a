import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, type Page } from '@playwright/test';
import { seededRandom } from '../shared/testing/random-source.ts';
import { signedIn } from './account.ts';
import { checkJournal, nothingWrong, readBook } from './check-journal.ts';
import { openDevice, type Device } from './open-device.ts';
import { freezeBetweenTransactions } from './freeze.ts';
import { isLeading } from './is-leading.ts';
import { long } from './test-options.ts';
import { openServer, type RunningServer } from './open-server.ts';
import { openWire, type Wire, type WireMode } from './open-wire.ts';
import { beginWriting, countWaiting, createJournal, planChains, type Chain } from './page-writer.ts';
import { demo, signIn, untilInstalled } from './person.ts';
import { test } from './shared-server.ts';

/*
 * Many writes, and the worst faults of a browser in the middle of them. A journal outside of it records what the page
 * showed; it is checked against the server's own rows: nothing lost that was called saved, nothing called done that is
 * not, nothing done twice.
 */

const homeowner = demo('homeowner');
const modes: readonly WireMode[] = ['through', 'closed', 'one-way', 'silent', 'portal', 'busy'];
/** On which of them a browser is killed: in `npm run test:long` on each. */
const killedOn: readonly WireMode[] = process.env['TEST_LONG'] === '1' ? modes : ['through', 'one-way'];
const quiet = { timeout: 60_000, intervals: [100] };

const journal = createJournal();
const planned: Chain[] = [];
let wire: Wire;
let server: RunningServer;
let phone: Device;
let api: Awaited<ReturnType<typeof signedIn>>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async () => {
  wire = await openWire();
  server = await openServer({ PUBLIC_URL: wire.url });
  wire.leadTo(server.url);
  phone = await openDevice(wire.url);
  await journal.listenTo(phone.page().context());
  await signIn(phone.page(), homeowner);
  await untilInstalled(phone);
  api = await signedIn(server, homeowner.email, homeowner.password);
});
test.afterAll(async () => {
  await phone?.close();
  await wire?.close();
  await server?.close();
});
test.beforeEach(() => wire.become('through'));

/** Plans jobs and puts them on the list of what is checked. */
function plan(seed: number, prefix: string, count: number): Chain[] {
  const chains = planChains(seededRandom(seed), prefix, count);
  planned.push(...chains);
  return chains;
}

const savedSoFar = () => journal.entries.filter(({ word }) => word === 'saved').length;
const countOf = (chains: readonly Chain[]) => chains.reduce((sum, { steps }) => sum + steps.length, 0);

async function mustBeRight(): Promise<void> {
  await expect.poll(() => countWaiting(phone.page()), quiet).toBe(0);
  expect(journal.entries.filter(({ word }) => word === 'failed' || word === 'rejected')).toEqual([]);
  expect(await checkJournal(api, planned, journal.entries, true)).toEqual(nothingWrong);
}

test('a browser that is killed in the middle of writes, again and again, on one kind of network after the other', async () => {
  // A kill, a start and a whole exchange for each kind of network: as long as the machine needs.
  test.setTimeout(900_000);
  const left: number[] = [];
  for (const [round, mode] of killedOn.entries()) {
    const random = seededRandom(100 + round);
    // Far more than is written until the kill arrives, however quick the machine.
    const chains = plan(random.below(1e9), `Killed ${round}`, 400);
    const before = savedSoFar();
    await beginWriting(phone.page(), chains);
    await journal.untilSaved(before + 1 + random.below(8));
    wire.become(mode);
    await journal.untilSaved(before + 10 + random.below(15));
    await sleep(random.below(25));
    await phone.kill();
    // The phone is dead and can send nothing more: what it showed as on the server, the server must have by now.
    expect(await checkJournal(api, planned, journal.entries, false)).toEqual(nothingWrong);
    // It was killed in the middle: some of the planned writes never were.
    expect(savedSoFar() - before).toBeLessThan(countOf(chains));
    const page = await phone.start('/waiting');
    await journal.listenTo(page.context());
    left.push(await countWaiting(page));
  }
  // Where nothing was sent, what was saved is what the killed browser left on its disk.
  expect(left.filter((count) => count > 0).length).toBeGreaterThanOrEqual(Math.max(1, killedOn.length - 2));
  wire.become('through');
  await mustBeRight();
});

test('two tabs that write at once, on a network that changes all the time', long, async () => {
  // Hundreds of writes of two tabs on a network that mostly fails: as long as the machine needs.
  test.setTimeout(900_000);
  const first = phone.page();
  const second = await first.context().newPage();
  await second.goto(`${wire.url}/waiting`);
  const random = seededRandom(200);
  const before = savedSoFar();
  const [here, there] = [plan(201, 'First tab', 40), plan(202, 'Second tab', 40)];
  await Promise.all([beginWriting(first, here), beginWriting(second, there)]);
  for (let turn = 0; turn < 10; turn += 1) {
    wire.become(random.pick(modes));
    await sleep(100 + random.below(300));
  }
  wire.become('through');
  await journal.untilSaved(before + countOf(here) + countOf(there));
  await mustBeRight();
  // Each tab got the outcome of each of its own writes, whichever of them sent it.
  await expect.poll(() => untold(here, there), quiet).toEqual([]);
  expect(await checkJournal(api, planned, journal.entries, true)).toEqual(nothingWrong);
  await second.close();
});

test(
  'a leading tab that freezes with its answer on the way: the other takes over, and the thawed one does no harm',
  long,
  async () => {
    const frozen = phone.page();
    await expect.poll(() => isLeading(frozen), quiet).toBe(true);
    const other = await frozen.context().newPage();
    await other.goto(`${wire.url}/waiting`);
    const epoch = await epochOf(other);
    const answer = wire.holdNext('/api/sync');
    const [inFrozen, inOther] = [plan(301, 'Frozen tab', 10), plan(302, 'Other tab', 10)];
    const before = savedSoFar();
    await beginWriting(frozen, inFrozen);
    const release = await answer;
    await journal.untilSaved(before + countOf(inFrozen));
    const thaw = await freezeBetweenTransactions(frozen, other);
    await beginWriting(other, inOther);
    await expect.poll(() => isLeading(other), quiet).toBe(true);
    await expect.poll(() => countWaiting(other), quiet).toBe(0);
    expect(await epochOf(other)).toBeGreaterThan(epoch);
    release();
    await thaw();
    const after = plan(303, 'Thawed tab', 10);
    await beginWriting(frozen, after);
    await expect.poll(() => untold(inFrozen, inOther, after), quiet).toEqual([]);
    expect([await isLeading(frozen), await isLeading(other)]).toEqual([false, true]);
    await mustBeRight();
    await other.close();
  },
);

test('a new build that comes while an exchange is under way and more waits behind it', async () => {
  const page = phone.page();
  const words = "A new version is ready. Reload when you're done.";
  const built = await readFile(join(import.meta.dirname, '../dist/service-worker.js'), 'utf8');
  const isSamePage = () => page.evaluate(() => 'isSamePage' in window);
  await page.evaluate(() => void Object.assign(window, { isSamePage: true }));
  await expect.poll(() => isLeading(page), quiet).toBe(true);
  // Also the answer of the next attempt: a slow machine takes longer than the phone waits for one.
  const answer = wire.holdAll('/api/sync');
  const picture = '/storage/v1/object/public/job-photos/that-never-comes.webp';
  const asked = wire.holdNext(picture);
  const chains = plan(401, 'New build', 20);
  const before = savedSoFar();
  await beginWriting(page, chains);
  const release = await answer;
  wire.change('/service-worker.js', `${built}\n// The next build.\n`);
  await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
  // The worker of the next build fetches and keeps every file of the app beside all this.
  await page.getByText(words).waitFor({ timeout: 180_000 });
  await journal.untilSaved(before + countOf(chains));
  expect(await isSamePage()).toBe(true);
  expect(await countWaiting(page)).toBeGreaterThan(0);
  // A worker that has something under way keeps the next one waiting for minutes.
  await page.evaluate((src) => void Object.assign(window, { picture: Object.assign(new Image(), { src }) }), picture);
  const releasePicture = await asked;
  const mail = await page.context().newPage();
  const opened = wire.holdNext('/auth/v1/verify');
  const openingMail = mail.goto(`${wire.url}/auth/v1/verify?token=none`).catch(() => undefined);
  const releaseMail = await opened;

  await page.getByRole('button', { name: 'Reload' }).click();
  await expect.poll(() => isSamePage().catch(() => true), quiet).toBe(false);
  releasePicture();
  releaseMail();
  release();
  await openingMail;
  await mail.close();
  await mustBeRight();
  expect(await page.getByText(words).count()).toBe(0);
});

test('the server’s outcomes agree: each write that was called saved is applied, and none was sent twice under different uids', async () => {
  await server.stop();
  const { status, asked, repeated } = await readBook(server.dataDir, api.userId);
  const saved = journal.entries.filter(({ word }) => word === 'saved');
  expect(saved.filter(({ uid }) => status.get(uid) !== 'applied')).toEqual([]);
  expect(repeated).toBe(0);
  // There may be more only by what was on the disk of a killed browser before it could show it.
  expect(asked).toBeGreaterThanOrEqual(saved.length);
  expect(asked).toBeLessThanOrEqual(countOf(planned));
});

/** The writes of these jobs that the page has not shown as on the server yet. */
function untold(...lists: readonly Chain[][]): string[] {
  return lists
    .flat()
    .flatMap(({ id, steps }) =>
      steps.flatMap(({ name }, step) =>
        journal.entries.some((line) => line.id === id && line.step === step && line.word === 'applied')
          ? []
          : [`${name} ${id}`],
      ),
    );
}

/** The epoch of this phone's leadership: each leader begins a new one. */
function epochOf(page: Page): Promise<number> {
  return page.evaluate(async (userId) => {
    const finished = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB request failed'));
      });
    const db = await finished(indexedDB.open(`dwang-${userId}`));
    const { value } = (await finished(db.transaction('meta').objectStore('meta').get('leader'))) as {
      value: { epoch: number };
    };
    db.close();
    return value.epoch;
  }, api.userId);
}
