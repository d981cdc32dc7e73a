import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openShelves } from '../shelves/testing/open-shelves.ts';
import { createSegmentCache } from '../shelves/segment-cache.ts';
import { makePublicShelves, type PublicShelves } from './make-public-shelves.ts';

let device: Awaited<ReturnType<typeof openShelves>>;
let shelves: PublicShelves;
let asked: string[];

beforeEach(async () => {
  device = await openShelves();
  asked = [];
  shelves = makePublicShelves({
    publicDb: device.publicDb,
    clock: device.clock,
    segmentCache: createSegmentCache(),
    fetch: async (input) => {
      asked.push(String(input));
      return Response.json({ version: '5', segments: [] });
    },
    log: (event, detail) => {
      throw new Error(`${event}: ${detail}`);
    },
  });
});
afterEach(async () => {
  shelves.stop();
  await device.close();
});

const paths = (...names: string[]) => names.map((name) => `/api/sync/shelves/${name}`);
/** These and no others, so far; each is asked for as soon as it was read what is here. */
const untilAsked = (...names: string[]) => vi.waitFor(() => expect(asked).toEqual(paths(...names)), 5_000);

test('a newcomer fetches nothing that nobody looks at, also when the connection comes back', async () => {
  shelves.start();
  window.dispatchEvent(new Event('online'));
  shelves.want('reference');
  await untilAsked('reference');
});

test('each list is fetched when it is first wanted, once', async () => {
  shelves.start();
  shelves.want('reference');
  shelves.want('reference');
  await untilAsked('reference');
  shelves.want('directory');
  await untilAsked('reference', 'directory');
});

test('what was wanted before it was known that nobody is signed in is fetched then, and again when the connection comes back', async () => {
  shelves.want('directory');
  expect(asked).toEqual([]);
  shelves.start();
  await untilAsked('directory');
  window.dispatchEvent(new Event('online'));
  await untilAsked('directory', 'directory');
});

test('once somebody is signed in, the exchange brings them', async () => {
  shelves.start();
  shelves.stop();
  shelves.want('directory');
  window.dispatchEvent(new Event('online'));
  shelves.start();
  await untilAsked('directory');
});
