import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openCollections } from '../collections/testing/open-collections.ts';
import { createDownloadedSegments } from '../collections/downloaded-segments.ts';
import { manualClock, type ManualClock } from '../testing/manual-clock.ts';
import { createPublicCollections, type PublicCollections } from './public-collections.ts';

let device: Awaited<ReturnType<typeof openCollections>>;
let collections: PublicCollections;
let asked: string[];
let reached: string[];
let isAway: boolean;
let mayLog: boolean;
let clock: ManualClock;

beforeEach(async () => {
  device = await openCollections();
  asked = [];
  reached = [];
  isAway = false;
  mayLog = false;
  clock = manualClock();
  collections = createPublicCollections({
    publicDb: device.publicDb,
    clock,
    downloaded: createDownloadedSegments(),
    fetch: async (input) => {
      asked.push(String(input));
      if (isAway) throw new TypeError('Failed to fetch');
      return Response.json({ version: '5', segments: [] });
    },
    onReach: (reach) => void reached.push(reach),
    log: (event, detail) => {
      if (!mayLog) throw new Error(`${event}: ${detail}`);
    },
  });
});
afterEach(async () => {
  collections.stop();
  await device.close();
});

const paths = (...names: string[]) => names.map((name) => `/api/sync/shelves/${name}`);
/** These and no others, so far; each is asked for as soon as the device's position was read. */
const expectAsked = (...names: string[]) => vi.waitFor(() => expect(asked).toEqual(paths(...names)), 5_000);

test('a newcomer fetches nothing that no screen shows, also when the connection comes back', async () => {
  collections.start();
  window.dispatchEvent(new Event('online'));
  collections.want('reference');
  await expectAsked('reference');
  // Whatever else had been asked for would have come before this.
  collections.want('directory');
  await expectAsked('reference', 'directory');
});

test('each list is fetched when it is first wanted, once', async () => {
  collections.start();
  collections.want('reference');
  collections.want('reference');
  await expectAsked('reference');
  collections.want('directory');
  await expectAsked('reference', 'directory');
});

test('what was wanted before the session was read is fetched once it is known that no person is signed in, and again when the connection comes back', async () => {
  collections.want('directory');
  expect(asked).toEqual([]);
  collections.start();
  await expectAsked('directory');
  window.dispatchEvent(new Event('online'));
  await expectAsked('directory', 'directory');
});

test('once a person is signed in, the exchange brings them', async () => {
  collections.start();
  collections.stop();
  collections.want('directory');
  window.dispatchEvent(new Event('online'));
  collections.start();
  await expectAsked('directory');
  collections.want('reference');
  await expectAsked('directory', 'reference');
});

test('an open directory learns of a new tradie within a minute, signed out too, and a hidden tab asks for nothing', async () => {
  collections.start();
  collections.want('directory');
  await expectAsked('directory');
  clock.advance(60_000);
  await expectAsked('directory', 'directory');
  const visible = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  clock.advance(600_000);
  visible.mockReturnValue('visible');
  document.dispatchEvent(new Event('visibilitychange'));
  // Seen again: once now, and not for what was missed meanwhile.
  await expectAsked('directory', 'directory', 'directory');
  clock.advance(60_000);
  await expectAsked('directory', 'directory', 'directory', 'directory');
  visible.mockRestore();
});

test('a server that does not answer is told of, and asked again until it does', async () => {
  isAway = true;
  mayLog = true;
  collections.start();
  collections.want('directory');
  await vi.waitFor(() => expect(reached).toEqual(['offline']), 5_000);
  isAway = false;
  mayLog = false;
  clock.advance(20_000);
  await vi.waitFor(() => expect(reached).toContain('online'), 5_000);
});
