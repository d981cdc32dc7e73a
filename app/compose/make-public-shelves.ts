import type { Clock } from '../db/clock.ts';
import type { ShelfDb } from '../db/person-db.ts';
import { digestBytes } from '../shelves/digest-bytes.ts';
import type { Arrivals } from '../shelves/make-arrivals.ts';
import { createHttpShelves } from '../shelves/http-shelves.ts';
import { createShelves, type ShelvesOnDevice } from '../shelves/shelves-on-device.ts';
import { browserRandom } from './browser-ports.ts';

interface PublicShelvesPorts {
  publicDb: ShelfDb;
  clock: Clock;
  arrivals: Arrivals;
  fetch: typeof fetch;
  log(event: string, detail: string): void;
}

/** The lists and the directory for those who are not signed in; for the others the exchange brings them. */
export function makePublicShelves({ publicDb, clock, arrivals, fetch, log }: PublicShelvesPorts): { start(): void; stop(): void } {
  let shelves: ShelvesOnDevice | undefined;
  const look = () => {
    shelves?.refreshPublic().catch((error: unknown) => log('public-shelves', String(error)));
  };
  return {
    start: () => {
      if (shelves !== undefined) return;
      shelves = createShelves({
        homes: { publicDb },
        clock,
        chance: browserRandom.next,
        digest: digestBytes,
        onDenied: async () => undefined,
        onArrived: arrivals.put,
        log,
        ...createHttpShelves({ fetch, accessToken: async () => null }),
      });
      window.addEventListener('online', look);
      look();
    },
    stop: () => {
      window.removeEventListener('online', look);
      shelves?.stop();
      shelves = undefined;
    },
  };
}
