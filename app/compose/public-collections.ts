import { minute } from '../../shared/lib/durations.ts';
import type { CancelTimer, Clock } from '../db/clock.ts';
import type { CollectionDb } from '../db/person-db.ts';
import { digestBytes } from '../collections/digest-bytes.ts';
import type { DownloadedSegments } from '../collections/downloaded-segments.ts';
import { createHttpCollections } from '../collections/http-collections.ts';
import { createCollections, type CollectionsOnDevice } from '../collections/collections-on-device.ts';
import { backoffMs } from '../sync/backoff.ts';
import { browserRandom } from './browser-ports.ts';

/** How old the lists get while a person looks at the page: a signed-out page has no stream that says "look again". */
const lookEveryMs = minute;

interface PublicCollectionsPorts {
  publicDb: CollectionDb;
  clock: Clock;
  downloaded: DownloadedSegments;
  fetch: typeof fetch;
  /** Whether the last request was answered. */
  onReach(reach: 'online' | 'offline'): void;
  log(event: string, detail: string): void;
}

export const publicCollectionNames = ['reference', 'directory'] as const;
export type PublicCollectionName = (typeof publicCollectionNames)[number];

export interface PublicCollections {
  start(): void;
  stop(): void;
  /** From now on this list is kept up to date while started; a list that no screen wants is not fetched. */
  want(collection: PublicCollectionName): void;
}

/** The lists and the directory for visitors who are signed out; for the others the exchange brings them. */
export function createPublicCollections({
  publicDb,
  clock,
  downloaded,
  fetch,
  onReach,
  log,
}: PublicCollectionsPorts): PublicCollections {
  let collections: CollectionsOnDevice | undefined;
  const wanted = new Set<PublicCollectionName>();
  const retries = new Map<PublicCollectionName, CancelTimer>();

  /** Now, and again after a while for as long as no answer comes. */
  function look(name: PublicCollectionName, failures = 0): void {
    const asking = collections;
    retries.get(name)?.();
    asking?.refreshPublic(name).catch((error: unknown) => {
      if (asking !== collections) return;
      log('public-shelves', String(error));
      retries.get(name)?.();
      retries.set(
        name,
        clock.setTimer(backoffMs(failures + 1, browserRandom.next()), () => look(name, failures + 1)),
      );
    });
  }
  const lookAgain = () => wanted.forEach((name) => look(name));

  let cancelNext = () => undefined as void;
  /** A hidden tab asks nothing; it asks when it is visible again. */
  function pollNowAndThen(): void {
    cancelNext();
    if (document.visibilityState === 'hidden') return;
    cancelNext = clock.setTimer(lookEveryMs, () => {
      lookAgain();
      pollNowAndThen();
    });
  }
  const onVisibility = () => {
    if (document.visibilityState === 'visible') lookAgain();
    pollNowAndThen();
  };
  return {
    start: () => {
      if (collections !== undefined) return;
      const http = createHttpCollections({ fetch, clock, accessToken: async () => null });
      collections = createCollections({
        dbs: { publicDb },
        clock,
        chance: browserRandom.next,
        digest: digestBytes,
        onDenied: async () => undefined,
        onDownloaded: downloaded.put,
        log,
        ...http,
        // The request alone tells: what comes after it may fail on this device.
        fetchManifest: async (name, stopped) => {
          try {
            const manifest = await http.fetchManifest(name, stopped);
            onReach('online');
            return manifest;
          } catch (error) {
            if (!stopped.aborted) onReach('offline');
            throw error;
          }
        },
      });
      window.addEventListener('online', lookAgain);
      document.addEventListener('visibilitychange', onVisibility);
      lookAgain();
      pollNowAndThen();
    },
    stop: () => {
      window.removeEventListener('online', lookAgain);
      document.removeEventListener('visibilitychange', onVisibility);
      cancelNext();
      for (const cancel of retries.values()) cancel();
      collections?.stop();
      collections = undefined;
    },
    want: (collection) => {
      if (wanted.has(collection)) return;
      wanted.add(collection);
      look(collection);
    },
  };
}
