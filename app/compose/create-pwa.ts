import { hour, second } from '../../shared/lib/durations.ts';
import { Workbox } from 'workbox-window';
import { createAppUpdate, type AppUpdate, type AppWorker } from '../pwa/app-update.ts';
import { hasHomeScreen } from '../pwa/home-screen.ts';
import { createInstallOffer, type InstallOffer } from '../pwa/install-offer.ts';

/** The name `vite-plugin-pwa` gives to `app/service-worker.ts`. */
const workerUrl = '/service-worker.js';
/** A tab that becomes visible again after so long asks for a newer version. */
const staleMs = hour;
/** How long after an installation that was cut off the page looks after it. */
const installAgainMs = 20 * second;

/**
 * What makes the page an app: its worker, the notice of newer versions, and the offer to install. The worker fetches
 * the code of all screens, so it is not registered before the page is `quiet`.
 */
export function createPwa(
  quiet: Promise<void>,
  isHeld: () => boolean,
  log: (event: string, detail: string) => void,
): { update: AppUpdate & AppWorker; install: InstallOffer } {
  // Under `vite` there is no built worker to register.
  const hasWorker = import.meta.env.PROD && 'serviceWorker' in navigator;
  const update = createAppUpdate({
    worker: hasWorker ? new Workbox(workerUrl) : undefined,
    isControlled: hasWorker && navigator.serviceWorker.controller !== null,
    quiet,
    reload: () => window.location.reload(),
    later: (go) => void setTimeout(go, installAgainMs),
    isHeld,
    log,
  });
  let lookedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAt < staleMs) return;
    lookedAt = Date.now();
    update.look();
  });
  const install = createInstallOffer({
    page: window,
    memory: window.localStorage,
    isInstalled: () => window.matchMedia('(display-mode: standalone)').matches,
    hasHomeScreen: hasHomeScreen(navigator),
  });
  return { update, install };
}
