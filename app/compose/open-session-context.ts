import { must } from '../../shared/lib/must.ts';
import type { SessionContext } from '../context/app-context.ts';
import type { Config } from '../session/config.ts';
import type { Clock } from '../db/clock.ts';
import { onConnectionLost, withConnection } from '../db/connection.ts';
import { refreshLiveQueries } from '../db/refresh-live-queries.ts';
import { markOpen } from '../db/open-mark.ts';
import { openPersonDb, type PersonDb, type CollectionDb } from '../db/person-db.ts';
import { createCell } from '../lib/cell.ts';
import { fileSrc } from '../lib/file-src.ts';
import { watchPerson } from '../context/watch-person.ts';
import { watchUnsynced } from '../context/watch-unsynced.ts';
import { askForBackgroundSync } from '../pwa/background-sync.ts';
import { createDeviceMark, isTheirDevice } from '../session/device-mark.ts';
import type { DeviceDb } from '../session/device-db.ts';
import type { Session } from '../session/create-session.ts';
import { forgetScreens, keepScreen } from '../session/kept-screens.ts';
import { cacheAnswer } from '../session/cache-answer.ts';
import { digestBytes } from '../collections/digest-bytes.ts';
import type { DownloadedSegments } from '../collections/downloaded-segments.ts';
import { createHttpCollections } from '../collections/http-collections.ts';
import { openSubscriptionGate } from '../collections/collection-gate.ts';
import { openCollectionMemory, type CollectionMemory } from '../collections/collection-memory.ts';
import { collectionOfTable, widenCollectionRow } from '../../shared/tables/collections.ts';
import { createCollections } from '../collections/collections-on-device.ts';
import { createHeldChanges } from '../held/held-changes.ts';
import { dropPhoto, createPhotoEntries, retryPhoto } from '../photos/keep.ts';
import { shrinkPhoto } from '../photos/shrink.ts';
import { createPictureCaches } from '../pwa/photo-cache.ts';
import { createOutboxBackup } from '../outbox-backup/outbox-backup.ts';
import type { CollectionsPort, SyncEvent } from '../sync/ports.ts';
import { streamPokes } from '../sync/poke.ts';
import { createTrace } from '../sync/trace.ts';
import { listenForWakes } from '../sync/wake.ts';
import { browserDrafts } from './browser-drafts.ts';
import { browserChannel, browserCommits, browserRandom, browserSavesData } from './browser-ports.ts';
import { browserStorage } from './browser-storage.ts';
import { createFeedRest } from './create-feed-rest.ts';
import { createPersonEngine } from './create-person-engine.ts';
import { withBackgroundSync } from './with-background-sync.ts';
import { words } from '../words/common-words.ts';

export interface SessionContextPorts {
  userId: string;
  config: Config;
  session: Session;
  deviceDb: DeviceDb;
  publicDb: CollectionDb;
  clock: Clock;
  downloaded: DownloadedSegments;
  fetch: typeof fetch;
  /** Deletes cached photos of the feed, except these: the right to them has ended. */
  onFeedDenied(ownPhotos: ReadonlySet<string>): Promise<void>;
  onEvent(event: SyncEvent): void;
  log(event: string, detail: string): void;
}

export type OpenSessionContext = SessionContext & {
  /** Stops everything and closes the database; what is on disk stays. */
  close(): Promise<void>;
};

const tokenHeldMs = 2_000;

/** Milliseconds in which what is written one after the other comes together. */
const gatherMs = 200;

/** Soon, but not in the middle of a tap: `requestIdleCallback`, where there is one. */
function whenIdle(work: () => void): void {
  setTimeout(() => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(work, { timeout: 500 });
    else work();
  }, gatherMs);
}

/**
 * Opens one person's session context in this tab: database, collections, engine, in that order, and starts the engine.
 */
export function openSessionContext(ports: SessionContextPorts): OpenSessionContext {
  const { userId, config, session, publicDb, clock, fetch } = ports;
  // Such a page has no Web Locks, and no cache to start from without signal.
  if (!window.isSecureContext) throw new Error(words.insecure);
  const commits = browserCommits(userId);
  const db = openPersonDb(userId, { commits });
  onConnectionLost(db, db.rows.refresh);
  const markClosed = markOpen(navigator.locks, db.name);
  const tokens = session.tokensFor(userId);
  const channel = browserChannel(userId);
  const storage = browserStorage();
  const collections = createCollections({
    dbs: { publicDb, personDb: db },
    userId,
    clock,
    chance: browserRandom.next,
    digest: digestBytes,
    onDenied: async () => ports.onFeedDenied(await ownPhotos(db, userId)),
    log: ports.log,
    onDownloaded: ports.downloaded.put,
    onlyNear: () => feedRest.isHeldBack.current(),
    onOtherRegions: () => sync.wakeUp('poke'),
    // One read of the session for all requests of a download.
    ...createHttpCollections({ fetch, clock, accessToken: cacheAnswer(clock, tokenHeldMs, tokens.accessToken) }),
  });
  const isHeldBack = createCell(browserSavesData());
  const feedRest = createFeedRest({ db, isHeldBack, collections, sync: () => sync, log: ports.log });
  const gate = openSubscriptionGate({ db, userId, clock });
  const forgetWhenClosed = () => {
    if (gate.current() === 'closed')
      withConnection(ports.deviceDb, () => forgetScreens(ports.deviceDb)).catch((error: unknown) =>
        ports.log('screens', String(error)),
      );
  };
  gate.subscribe(forgetWhenClosed);
  forgetWhenClosed();
  const feed = openCollectionMemory({
    db,
    collection: 'feed',
    gate,
    isHeldBack,
    downloaded: ports.downloaded,
    onError: (error) => ports.log('feed-unreadable', String(error)),
  });
  const token = async () => (await tokens.accessToken()) ?? undefined;
  const isVisible = () => document.visibilityState === 'visible';
  const isHere = () => isTheirDevice(ports.deviceDb, userId);
  const unsynced = watchUnsynced(db);
  const restoredChanges = createCell(0);
  const backup =
    'caches' in window
      ? createOutboxBackup({
          db,
          userId,
          caches: window.caches,
          isHere,
          isLeader: () => sync.status.current().isLeader,
          whenIdle,
          log: ports.log,
        })
      : undefined;
  const restoring = (): Promise<number> =>
    (backup?.restore() ?? Promise.resolve(0)).then(
      (count) => {
        if (count === 0) return 0;
        restoredChanges.set(count);
        sync.wakeUp('enqueue');
        return count;
      },
      (error: unknown) => {
        ports.log('spare-unread', String(error));
        return 0;
      },
    );
  const askForWake = () => askForBackgroundSync(navigator.serviceWorker);
  const deviceMark = createDeviceMark(ports.deviceDb, userId);
  const engine = createPersonEngine({
    db,
    userId,
    clock,
    random: browserRandom,
    config,
    tokens,
    fetch,
    log: ports.log,
    locks: navigator.locks,
    channel,
    collections: {
      ...collections,
      find: findInMemoryFirst(feed, collections.find),
      showEarly: ({ feed: answer }, { versions, timelines }) => {
        const asked = { version: versions.feed ?? null, timeline: timelines.feed ?? null };
        const settle = answer && feed.showEarly(answer, asked);
        return () => void settle?.();
      },
    },
    // Entries restored from the outbox backup show as well that there was data here.
    deviceMark: { ...deviceMark, read: async () => (await deviceMark.read()) || (await firstBack) > 0 },
    pokes: streamPokes({
      url: '/api/sync/poke',
      fetch,
      token,
      clock,
      random: browserRandom,
      deviceId: createTrace(db).deviceId,
    }),
    isVisible,
    seemsOnline: () => navigator.onLine,
    onEvent: ports.onEvent,
    ...(storage === undefined ? {} : { storage }),
    wrap: (sync) => withBackgroundSync(sync, askForWake),
  });
  const { sync, photoUploads, logoUploads } = engine;
  const held = createHeldChanges({
    db,
    clock,
    random: browserRandom,
    mutate: sync.mutate,
    log: ports.log,
    onHeld: () => void askForWake(),
  });
  const stopWakes = listenForWakes({ page: window, document, isVisible }, (reason) => {
    if (reason === 'offline') return sync.wakeUp(reason);
    if (reason !== 'online') refresh();
    gate.look();
    collections.resume();
    sync.wakeUp(reason);
  });
  const refresh = () => {
    refreshLiveQueries();
    db.rows.refresh();
  };
  const backUp = () => {
    const read = unsynced.current();
    if (read.state === 'ready') backup?.keep(read.value);
  };
  let wasLeader = false;
  let evictionsBefore = 0;
  const stopMinding = sync.status.subscribe(() => {
    const { isLeader, evictions } = sync.status.current();
    const isClearedNow = evictions > evictionsBefore;
    if (isClearedNow) void restoring();
    // The leadership is not taken from a tab that is awake; and what was evicted is gone without any tab having written
    // it.
    if ((wasLeader && !isLeader) || isClearedNow) refresh();
    if (isLeader && !wasLeader) backUp();
    wasLeader = isLeader;
    evictionsBefore = evictions;
  });
  const firstBack = restoring();
  void firstBack
    .then(async () => 'caches' in window && (await isHere()) && createPictureCaches(window.caches))
    .catch((error: unknown) => ports.log('pictures', String(error)));
  const stopKeeping = unsynced.subscribe(backUp);
  sync.start();
  collections.resume();
  ports.deviceDb.entries
    .get(`former:${userId}`)
    .then(
      async (former) =>
        former && (await import('./take-former.ts')).takeFormer(db, former.value as string[], openPersonDb),
    )
    .catch((error: unknown) => ports.log('former', String(error)));

  return {
    userId,
    db,
    drafts: browserDrafts(db, userId, clock),
    sync,
    held,
    feed,
    feedRest,
    person: watchPerson(db, userId, clock),
    unsynced,
    restoredChanges,
    logoUploads,
    photos: {
      shrink: (file) => shrinkPhoto(file),
      entry: (jobId, photo) => {
        const [entry] = createPhotoEntries([{ ...photo, isOriginal: false }], {
          jobId,
          newId: () => photo.id,
          now: clock.now(),
        });
        return must(entry, 'an entry for each photo');
      },
      retry: async (id) => {
        await retryPhoto(db, id);
        photoUploads.wake();
      },
      remove: (id) => dropPhoto(db, id),
    },
    keepScreen: (path, screen) => keepScreen(ports.deviceDb, path, screen && { ...screen, userId }),
    logOut: () => session.signOut(userId),
    close: async () => {
      stopWakes();
      stopMinding();
      stopKeeping();
      held.stop();
      feed.close();
      gate.close();
      collections.stop();
      await engine.stop();
      await backup?.stop();
      channel.close();
      db.close();
      commits.close();
      markClosed();
    },
  };
}

/** Addresses of the photos of the person's own jobs. */
async function ownPhotos(db: PersonDb, userId: string): Promise<ReadonlySet<string>> {
  const jobs = await withConnection(db, () => db.jobs.where('userId').equals(userId).toArray());
  return new Set(jobs.flatMap(({ images }) => images.map(fileSrc)));
}

/** A job in this tab's memory need not be looked for in forty segments on the disk. */
function findInMemoryFirst(feed: CollectionMemory<'feed'>, find: CollectionsPort['find']): CollectionsPort['find'] {
  return async (table, id) => {
    const row = collectionOfTable(table) === 'feed' ? feed.find(id) : undefined;
    return row === undefined ? find(table, id) : { ...widenCollectionRow('feed', row) };
  };
}
