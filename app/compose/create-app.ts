import { createId } from '../../shared/lib/id.ts';
import { createCaller } from '../api/call.ts';
import type { AlertOffer, App, AuthState } from '../context/app-context.ts';
import { systemClock } from '../db/clock.ts';
import { showLookOf } from '../lib/person-look.ts';
import { wipeStorage } from '../db/wipe-storage.ts';
import { openPersonDb, openPublicDb } from '../db/person-db.ts';
import { dropOnboardingDraft } from '../features/onboarding/onboarding-draft.ts';
import { createCell } from '../lib/cell.ts';
import { dropAllLastTyped } from '../lib/last-typed-draft.ts';
import { forgetTyped } from './forget-typed.ts';
import { whenIdle } from './when-idle.ts';
import { createAuthClient, type AuthClient } from '../session/auth-client.ts';
import { createAuthStorage } from '../session/auth-storage.ts';
import { createSession } from '../session/create-session.ts';
import { openDeviceDb } from '../session/device-db.ts';
import { fetchWithTimeout } from '../session/fetch-with-timeout.ts';
import { readMailedSession } from '../session/mailed-session.ts';
import { within } from '../db/within.ts';
import { createDownloadedSegments } from '../collections/downloaded-segments.ts';
import { openCollectionMemory } from '../collections/collection-memory.ts';
import { hasOutboxBackup, isBackupOfAnother } from '../outbox-backup/outbox-backup.ts';
import { browserRandom, browserSavesData } from './browser-ports.ts';
import { createConfigured } from './create-configured.ts';
import { createAlerts } from './create-alerts.ts';
import { createAuthRedirect } from './create-auth-redirect.ts';
import { createConnectionStatus } from './create-connection-status.ts';
import { createMailedLink } from './create-mailed-link.ts';
import { createPwa } from './create-pwa.ts';
import { publicCollectionNames } from './public-collections.ts';
import { createDirectPutLogo } from './create-direct-put-logo.ts';
import { openSessionManager } from './open-session-manager.ts';
import { detectLostPerson } from './detect-lost-person.ts';
import { createKeptNote } from './kept-note.ts';
import { otherPages } from './other-pages.ts';
import { shownPerson } from './shown-person.ts';
import { createToasts } from '../ui/create-toasts.ts';

/**
 * Composes the app of this tab. Nothing here waits: screens show what is there and change when there is more.
 * `onQuiet`: called when the page has finished its start. `onReady`: when the service worker has finished its
 * installation too: what is fetched for later comes out of the worker's cache then, and not twice over a weak signal.
 */
export function createApp(onQuiet: () => void, onReady: () => void): App {
  const clock = systemClock;
  const quiet = whenIdle(window, clock);
  void quiet.then(onQuiet);
  const fetch = window.fetch.bind(window);
  // Codes and counts only; no personal data.
  // oxlint-disable-next-line no-console -- a phone's own log, for the support person who helps its owner
  const log = (event: string, detail: string) => console.info(`dwang ${event}: ${detail}`);
  const deviceDb = openDeviceDb();
  const publicDb = openPublicDb();
  const downloaded = createDownloadedSegments();
  const toasts = createToasts();
  const authState = createCell<AuthState>({ kind: 'starting' });
  const connection = createConnectionStatus(window, () => navigator.onLine);
  const configured = createConfigured({ fetch: fetchWithTimeout(fetch), db: deviceDb, clock, log });
  // Needed next in any case, so it is fetched beside the session, not after. A caller of `wait` hears of an error.
  configured.wait().catch(() => undefined);
  const authStorage = createAuthStorage(deviceDb, clock);
  const keptNote = createKeptNote(document, localStorage);
  const hasBackup = async (besides?: string) => {
    try {
      return 'caches' in window && (await hasOutboxBackup(window.caches, besides));
    } catch (error) {
      log('spare-unread', String(error));
      return false;
    }
  };

  let auth: Promise<AuthClient> | undefined;
  const openAuth = (): Promise<AuthClient> => {
    auth ??= configured
      .wait()
      .then((config) => createAuthClient({ config, storage: authStorage, fetch, isPage: true }))
      .catch((error: unknown) => {
        auth = undefined;
        throw error;
      });
    return auth;
  };
  const session = createSession({
    db: deviceDb,
    clock,
    storage: authStorage,
    openAuth,
    wipeStorage: async (userId, isWanted) => {
      // It is of all who use this browser.
      if (await hasBackup(userId)) keptNote.noteWaiting();
      else keptNote.forget();
      dropOnboardingDraft(localStorage, userId);
      dropAllLastTyped(sessionStorage, userId);
      await within(clock, closingMs, sessions.close(userId), undefined);
      // Their alerts are not for the next person on this device.
      await within(clock, closingMs, alerts.end(userId), undefined);
      const db = openPersonDb(userId);
      const keepsCache = (name: string) => isShell(name) || isBackupOfAnother(name, userId);
      return wipeStorage({
        db,
        clock,
        locks: navigator.locks,
        keepsCache,
        isWanted,
        ...('caches' in window ? { caches: window.caches } : {}),
      });
    },
    homeUrl: window.location.origin,
    log,
  });
  forgetTyped(session.state, sessionStorage);
  const { hash } = window.location;
  const link = createMailedLink({
    session,
    mailed: readMailedSession(hash),
    clearAddress: () =>
      window.history.replaceState(window.history.state, '', `${window.location.pathname}${window.location.search}`),
  });
  const authRedirect = createAuthRedirect(hash, link, authState, log);
  const isTakenOver = createCell(false);
  const reference = openCollectionMemory({
    db: publicDb,
    collection: 'reference',
    onWatched: () => sessions.want('reference'),
    downloaded,
    onError: (error) => log('reference-unreadable', String(error)),
  });
  const sessions = openSessionManager({
    session,
    configured,
    deviceDb,
    publicDb,
    clock,
    downloaded,
    fetch,
    toasts,
    reference,
    evictsAfterWeek: browserEvictsAfterWeek(),
    authState,
    connection,
    isTakenOver,
    log,
  });
  const shown = shownPerson({ authState: sessions, session, clock, fetch: fetchWithTimeout(fetch) });
  const { isLost: isPersonLost, unsent } = detectLostPerson(sessions, localStorage, () => hasBackup(), keptNote);
  if (browserEvictsAfterWeek())
    import('./follow-unsent.ts').then(
      ({ followUnsent }) =>
        followUnsent({
          authState: sessions,
          note: keptNote,
          fetch: fetchWithTimeout(fetch),
          othersWait: hasBackup,
          untold: unsent,
          now: clock.now,
        }),
      (error: unknown) => log('unsent-unnoted', String(error)),
    );
  const showLook = () => {
    const here = sessions.current();
    if (here.kind === 'signed-out' || here.kind === 'signed-in')
      showLookOf(localStorage, document.documentElement, here.kind === 'signed-in' ? here.context.userId : undefined);
  };
  sessions.subscribe(showLook);
  showLook();
  const dirtyForms = createCell(0);
  const pwa = createPwa(quiet, () => dirtyForms.current() > 0, log);
  void quiet.then(() => pwa.update.whenControlled).then(onReady);
  const caller = createCaller({
    fetch: fetchWithTimeout(fetch),
    accessToken: async () =>
      (await (await shown.tokens()).accessToken()) ?? configured.current()?.supabaseAnonKey ?? null,
  });
  const alerts = createAlerts({
    authState,
    configured,
    caller,
    deviceDb,
    quiet,
    needsInstall: browserEvictsAfterWeek(),
    log,
  });
  // A newcomer's first page is readable before 5,000 businesses are fetched; a page that needs the directory sooner
  // does not wait for that.
  if (!browserSavesData()) void quiet.then(() => publicCollectionNames.forEach(sessions.want));

  return {
    toasts,
    authState,
    connection,
    authRedirect,
    retryStart: sessions.retry,
    auth: shown.auth,
    caller,
    alerts,
    alertOffer: createCell<AlertOffer | null>(null),
    reference,
    directory: openCollectionMemory({
      db: publicDb,
      collection: 'directory',
      startsWhenWatched: true,
      onWatched: () => sessions.want('directory'),
      downloaded,
      onError: (error) => log('directory-unreadable', String(error)),
    }),
    putLogo: createDirectPutLogo({ configured, fetch, tokens: shown.tokens }),
    otherPages,
    isPersonLost,
    unsent,
    linkQuestion: link.question,
    choosesPassword: link.choosesPassword,
    isTakenOver,
    evictsAfterWeek: browserEvictsAfterWeek(),
    isInsecure: !window.isSecureContext,
    onSubscription: sessions.wakeUp,
    onProfile: sessions.wakeUp,
    dirtyForms,
    offerInstallAfter: pwa.install.enable,
    ...pwa,
    log,
    newId: () => createId(clock.now(), browserRandom),
    now: sessions.now,
  };
}

/** The longest that a log-out waits for what is under way in the session context: it writes to what is wiped then. */
const closingMs = 5_000;

/** The app's own files must still start without signal after a person has logged out. */
const isShell = (name: string) => name.startsWith('workbox-precache') || name.startsWith('dwang-shell');

/** Safari, on a Mac too; on an iPhone or iPad every browser is that one underneath. An installed app says so. */
const browserEvictsAfterWeek = () =>
  navigator.vendor.startsWith('Apple') && !window.matchMedia('(display-mode: standalone)').matches;
