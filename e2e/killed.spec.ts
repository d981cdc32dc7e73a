import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { seededRandom } from '../shared/testing/random-source.ts';
import { signedIn } from './account.ts';
import { checkJournal, checkPhotos, nothingWrong, withPhoto } from './check-journal.ts';
import type { Tab } from './engines/tab.ts';
import type { Device } from './open-device.ts';
import { engineOfRun, openPhone } from './open-phone.ts';
import type { RunningServer } from './open-server.ts';
import { ownHomeowner } from './own-homeowner.ts';
import { openWire, type Wire } from './open-wire.ts';
import { beginWriting, countUnsent, createJournal, planChains, type Chain } from './page-writer.ts';
import { signIn, untilInstalled, type Credentials } from './person.ts';
import { test } from './shared-server.ts';

/*
 * What each engine's disk keeps. All of the browser's processes are killed at once, now right after a write was shown
 * as saved and now in the middle of many; nothing is sent between, so that what was saved is nowhere but on that disk.
 * `nothing-lost.spec.ts` has the faults of the network beside it.
 */

const isLong = process.env['TEST_LONG'] === '1';
const quiet = { timeout: 90_000, intervals: [100] };

const journal = createJournal();
const planned: Chain[] = [];
let wire: Wire;
let server: RunningServer;
let homeowner: Credentials;
let phone: Device<Tab>;
let api: Awaited<ReturnType<typeof signedIn>>;

test.describe.configure({ mode: 'serial' });
test.beforeAll(async ({ shareServer }) => {
  wire = await openWire();
  server = await shareServer();
  wire.leadTo(server.url);
  homeowner = await ownHomeowner(server, 'Tama');
  phone = await openPhone(wire.url, '/', journal.hear);
  await signIn(phone.page(), homeowner);
  await phone
    .page()
    .getByRole('heading', { name: /Your Posted Jobs \(/ })
    .waitFor();
  await untilInstalled(phone);
  api = await signedIn(server, homeowner.email, homeowner.password);
});
test.afterAll(async () => {
  await phone?.close();
  await wire?.close();
});

const saved = () => journal.entries.filter(({ word }) => word === 'saved').length;

test('a browser that is killed, after "Saved on this phone" and in the middle of writing: what was called saved is there, photos too, and arrives once', async () => {
  test.setTimeout(1_800_000);
  // Firefox and WebKit are killed after “Saved on this phone” in the story too, twice.
  const [first, kills] = isLong ? [0, 30] : engineOfRun() === 'chromium' ? [0, 2] : [1, 2];
  const missing: string[] = [];
  const kept: { writes: number; photos: number }[] = [];
  for (let kill = first; kill < kills; kill += 1) {
    wire.become('closed');
    const random = seededRandom(500 + kill);
    const before = saved();
    const isMidWrite = kill % 2 === 1;
    // With photos in two of four kills: in the one job that was saved, or in every fourth of the many.
    const chains = planChains(random, `Kill ${kill}`, isMidWrite ? 200 : 1, kill % 4 < 2 ? 4 : Infinity);
    planned.push(...chains);
    await beginWriting(phone.page(), chains);
    await journal.untilSaved(before + 1 + (isMidWrite ? random.below(20) : 0));
    if (isMidWrite) await sleep(random.below(25));
    await phone.kill();
    const shown = saved() - before;
    const page = await phone.start('/waiting');
    const photos = withPhoto(chains, journal.entries).length;
    const there = await countUnsent(page);
    kept.push({ writes: shown, photos });
    if (there.writes < shown || there.photos < photos)
      missing.push(
        `kill ${kill}: ${shown} and ${photos} photos shown as saved, ${there.writes} and ${there.photos} there`,
      );
    // All of it reaches the server before the next kill.
    wire.become('through');
    await expect.poll(() => countUnsent(page), quiet).toEqual({ writes: 0, photos: 0 });
  }
  const sum = (of: 'writes' | 'photos') => kept.reduce((all, each) => all + each[of], 0);
  process.stdout.write(
    `${kills - first} kills, ${sum('writes')} writes shown as saved, ${sum('photos')} with a photo in ${kept.filter(({ photos }) => photos > 0).length} kills; missing: ${missing.length}\n`,
  );
  expect(missing).toEqual([]);
  expect(sum('photos')).toBeGreaterThanOrEqual(Math.min(2, kills - first));
  expect(journal.entries.filter(({ word }) => word === 'failed' || word === 'refused')).toEqual([]);
  expect(await checkJournal(api, planned, journal.entries, true)).toEqual(nothingWrong);
  expect(await checkPhotos(api, planned, journal.entries)).toEqual([]);
});
