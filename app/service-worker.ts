import { clientsClaim } from 'workbox-core';
import { cleanupOutdatedCaches, PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching';
import { registerRoute, setCatchHandler } from 'workbox-routing';
import { minute } from '../shared/lib/durations.ts';
import { giveUpKeptPages } from '../shared/lib/kept-pages.ts';
import { wholePages } from '../shared/routes.ts';
import { findInCollection } from './collections/find-in-collection.ts';
import { keepPushedJobs, regionOfTown } from './collections/keep-pushed-jobs.ts';
import { systemClock } from './db/clock.ts';
import { openPersonDb, openPublicDb } from './db/person-db.ts';
import { readDevice } from './session/auth-storage.ts';
import { openDeviceDb } from './session/device-db.ts';
import { cacheFor } from './pwa/photo-cache.ts';
import { syncTag } from './pwa/background-sync.ts';
import { fetchWithTimeout } from './session/fetch-with-timeout.ts';
import { isAppPage } from './worker/app-page.ts';
import { drainOutbox } from './worker/drain-outbox.ts';
import { fillPrecache, splitManifest } from './worker/fill-precache.ts';
import { goToPage, pageOfAlert, showAlert } from './worker/show-alert.ts';
import { servePicture } from './worker/serve-picture.ts';
import { createUnderWay } from './worker/under-way.ts';
import { withKeptScreen } from './worker/with-kept-screen.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: PrecacheEntry[] };

/**
 * Not in the platform's types: routes that bypass the worker without waking it. Chromium's alone, and elsewhere only
 * slower.
 */
interface RoutedInstall extends ExtendableEvent {
  addRoutes?(rules: { condition: { urlPattern: { pathname: string } }; source: 'network' }): Promise<void>;
}

/** Not in the platform's types: Background Sync is Chromium's alone. */
interface SyncEvent extends ExtendableEvent {
  readonly tag: string;
  readonly lastChance: boolean;
}

// oxlint-disable-next-line no-console -- codes only; a worker has no screen to say it on
const log = (event: string, detail: string) => console.info(`dwang ${event}: ${detail}`);

const underWay = createUnderWay(fetch.bind(self));

/** Longer than the largest file takes on the slowest line. */
const fileMs = 2 * minute;
// A file that never comes ends the installation, which the page then begins anew (`app-update.ts`): one that waits is
// waited for without end.
const precache = new PrecacheController({
  plugins: [{ requestWillFetch: async ({ request }) => new Request(request, { signal: AbortSignal.timeout(fileMs) }) }],
});
// Every route's code, so that any address opens cold without signal.
const { kept, bundle } = splitManifest(self.__WB_MANIFEST);
precache.addToCacheList(kept);
self.addEventListener('install', (event) => {
  const fill = fillPrecache({
    bundle,
    keys: precache.getURLsToCacheKeys(),
    open: () => caches.open(precache.strategy.cacheName),
    fetch: (url) => fetch(url, { signal: AbortSignal.timeout(fileMs) }),
    log,
  });
  event.waitUntil(fill.then(() => precache.install(event)));
});
self.addEventListener('activate', (event) => event.waitUntil(precache.activate(event)));
registerRoute(new PrecacheRoute(precache, { directoryIndex: '', cleanURLs: false }));
cleanupOutdatedCaches();
// The first worker claims the page that registered it; a later one waits for the person's tap.
clientsClaim();

self.addEventListener('install', (event) => {
  const { addRoutes } = event as RoutedInstall;
  // Nothing here answers for the server, so an exchange need not wait until a sleeping worker is up. Where that is
  // unsupported, it is only slower.
  const routed = addRoutes?.call(event, { condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' });
  if (routed !== undefined) event.waitUntil(routed.catch((error: unknown) => log('routes', String(error))));
});

// Prerendered pages, and for all others the frame, so that the landing page never flashes by.
const written = new Map(
  wholePages.map(({ path, file }): [string, ReturnType<typeof precache.createHandlerBoundToURL>] => [
    path,
    precache.createHandlerBoundToURL(`/${file}`),
  ]),
);
const frame = precache.createHandlerBoundToURL('/index.html');
const screens = { openDb: openDeviceDb, clock: systemClock, isOnline: () => navigator.onLine, log };
const pageOf = (url: URL) => written.get(url.pathname) ?? (isAppPage(url) ? frame : undefined);
registerRoute(
  // Others are the browser's own business: a mailed link that gets no answer would keep the next version waiting.
  ({ request, url, sameOrigin }) => sameOrigin && request.mode === 'navigate' && pageOf(url) !== undefined,
  (options) => {
    const page = pageOf(options.url);
    if (page === undefined) return fetch(options.request);
    const answer =
      page === frame ? page(options).then((shell) => withKeptScreen(shell, options.url, screens)) : page(options);
    return answer.then(replacing);
  },
);

/**
 * In WebKit a page whose place another one takes is not kept for the way back then: it would sleep with what it has
 * begun in the storage. Chromium, which alone has Background Sync, gives such pages up by itself.
 */
function replacing(page: Response): Response {
  if ('sync' in self.registration) return page;
  const { status, headers } = page;
  return new Response(page.body, { status, headers: { ...Object.fromEntries(headers), ...giveUpKeptPages } });
}

registerRoute(
  ({ url, request }) => request.method === 'GET' && request.destination === 'image' && cacheFor(url) !== undefined,
  ({ url, request, event }) => {
    const keep = cacheFor(url);
    if (keep === undefined) return fetch(request);
    return servePicture(request, keep, {
      caches,
      fetch: underWay.fetch,
      later: (work) => (event as ExtendableEvent).waitUntil(work),
      log,
    });
  },
);

// Code the worker does not keep: a load that hangs must end, or every later attempt of the page would wait for that
// same one.
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && url.pathname.startsWith('/assets/'),
  ({ request }) => fetchWithTimeout(underWay.fetch)(request),
);

// Where WebKit was killed while it wrote its list of caches, every read of any cache rejects from then on: the network
// has the app too.
setCatchHandler(({ request }) => fetch(request));

/** Sent by the next version of the worker to the one whose place it takes. */
const giveWay = 'GIVE_WAY';
let hasGivenWay = false;
self.addEventListener('message', (event) => {
  const { type } = (event.data ?? {}) as { type?: string };
  if (type === 'SKIP_WAITING') {
    // Not where it is active already, which a second tab that asks does not know: it would be telling itself.
    if (self.registration.waiting !== null) self.registration.active?.postMessage({ type: giveWay });
    void self.skipWaiting();
  }
  if (type === giveWay) {
    hasGivenWay = true;
    underWay.end();
  }
});

self.addEventListener('sync', (event) => {
  const { tag } = event as SyncEvent;
  // The browser comes back to the next version with it.
  if (tag === syncTag) (event as SyncEvent).waitUntil(hasGivenWay ? Promise.reject(new Error(giveWay)) : sendWaiting());
});

self.addEventListener('push', (event) => {
  const text = event.data?.text();
  // A browser that knows Declarative Web Push has the notification parsed, and shows it as the message says.
  if (text === undefined) return;
  event.waitUntil(
    showAlert(text, {
      registration: self.registration,
      personHere: readPersonHere,
      keepJobs: async (userId, data) => {
        const db = openPersonDb(userId);
        const publicDb = openPublicDb();
        try {
          return await keepPushedJobs(db, data, async (town) =>
            regionOfTown(await findInCollection(publicDb, 'reference', town)),
          );
        } finally {
          db.close();
          publicDb.close();
        }
      },
      log,
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(goToPage(pageOfAlert(event.notification.data), self));
});

async function readPersonHere(): Promise<string | undefined> {
  const db = openDeviceDb();
  try {
    return (await readDevice(db)).person?.userId;
  } finally {
    db.close();
  }
}

/** A rejection tells the browser to come back later. */
async function sendWaiting(): Promise<void> {
  const left = await drainOutbox({
    fetch: underWay.fetch,
    locks: navigator.locks,
    log,
    signal: underWay.signal(),
  });
  if (left > 0) throw new Error(`${left} still wait`);
}
