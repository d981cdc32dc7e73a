import type { Sync } from '../sync/create-sync.ts';

/**
 * The engine as screens know it; after each write that is kept, the browser is asked to wake the service worker for it
 * (C9).
 */
export function withBackgroundSync(sync: Sync, ask: () => Promise<unknown>): Sync {
  return {
    ...sync,
    mutate: async (name, args, companions) => {
      const queued = await sync.mutate(name, args, companions);
      void ask();
      return queued;
    },
    retryRejected: async (uid) => {
      const queued = await sync.retryRejected(uid);
      if (queued !== undefined) void ask();
      return queued;
    },
  };
}
