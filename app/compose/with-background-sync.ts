import { systemClock } from '../db/clock.ts';
import type { Sync } from '../sync/create-sync.ts';

/** Writes that follow each other so soon share a request: it costs a trip to the browser's own process. */
const shareMs = 200;

/**
 * The engine as screens know it; after each write that is kept, the browser is asked to wake the service worker for it
 * (C9): at once for the first of several, and again after the last.
 */
export function withBackgroundSync(sync: Sync, ask: () => Promise<unknown>, setTimer = systemClock.setTimer): Sync {
  let isAsking = false;
  let isAskedAgain = false;
  const askSoon = () => {
    isAskedAgain = isAsking;
    if (isAsking) return;
    isAsking = true;
    void ask();
    setTimer(shareMs, () => {
      isAsking = false;
      if (isAskedAgain) askSoon();
    });
  };
  return {
    ...sync,
    mutate: async (name, args, companions) => {
      const queued = await sync.mutate(name, args, companions);
      askSoon();
      return queued;
    },
    retryRejected: async (uid) => {
      const queued = await sync.retryRejected(uid);
      if (queued !== undefined) askSoon();
      return queued;
    },
  };
}
