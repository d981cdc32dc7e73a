import type { CancelTimer, Clock } from '../db/clock.ts';
import type { ShelfDb } from '../db/person-db.ts';
import { digestBytes } from '../shelves/digest-bytes.ts';
import type { SegmentCache } from '../shelves/segment-cache.ts';
import { createHttpShelves } from '../shelves/http-shelves.ts';
import { createShelves, type ShelvesOnDevice } from '../shelves/shelves-on-device.ts';
import { backoffMs } from '../sync/backoff.ts';
import { browserRandom } from './browser-ports.ts';

interface PublicShelvesPorts {
  publicDb: ShelfDb;
  clock: Clock;
  segmentCache: SegmentCache;
  fetch: typeof fetch;
  log(event: string, detail: string): void;
}

export const publicShelfNames = ['reference', 'directory'] as const;
export type PublicShelfName = (typeof publicShelfNames)[number];

export interface PublicShelves {
  start(): void;
  stop(): void;
  /** From now on this list is kept up to date while started; nothing is fetched that nobody wants. */
  want(shelf: PublicShelfName): void;
}

/** The lists and the directory for those who are not signed in; for the others the exchange brings them. */
export function makePublicShelves({ publicDb, clock, segmentCache, fetch, log }: PublicShelvesPorts): PublicShelves {
  let shelves: ShelvesOnDevice | undefined;
  const wanted = new Set<PublicShelfName>();
  const retries = new Map<PublicShelfName, CancelTimer>();

  /** Now, and again after a while for as long as nobody answers. */
  function look(name: PublicShelfName, failures = 0): void {
    const asking = shelves;
    retries.get(name)?.();
    asking?.refreshPublic(name).catch((error: unknown) => {
      if (asking !== shelves) return;
      log('public-shelves', String(error));
      retries.get(name)?.();
      retries.set(name, clock.setTimer(backoffMs(failures + 1, browserRandom.next()), () => look(name, failures + 1)));
    });
  }
  const lookAgain = () => wanted.forEach((name) => look(name));
  return {
    start: () => {
      if (shelves !== undefined) return;
      shelves = createShelves({
        homes: { publicDb },
        clock,
        chance: browserRandom.next,
        digest: digestBytes,
        onDenied: async () => undefined,
        onDownloaded: segmentCache.put,
        log,
        ...createHttpShelves({ fetch, clock, accessToken: async () => null }),
      });
      window.addEventListener('online', lookAgain);
      lookAgain();
    },
    stop: () => {
      window.removeEventListener('online', lookAgain);
      for (const cancel of retries.values()) cancel();
      shelves?.stop();
      shelves = undefined;
    },
    want: (shelf) => {
      if (wanted.has(shelf)) return;
      wanted.add(shelf);
      look(shelf);
    },
  };
}
