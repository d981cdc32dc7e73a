import { test as base } from '@playwright/test';
import { openServer, type RunningServer } from './open-server.ts';

interface OfWorker {
  /** The server of this worker, started where it does not run yet. */
  shareServer: () => Promise<RunningServer>;
}

/**
 * `test` for every file: Playwright ends a worker before one with other fixtures, and starting a worker computes for a
 * second. Files that ask nothing special of their server take the one that a worker’s files share, whose start computes
 * for two. They run one after the other, leave it running, and look for nothing but what they have written. A test that
 * fails takes its worker with it, and so the server.
 */
export const test = base.extend<object, OfWorker>({
  shareServer: [
    // oxlint-disable-next-line no-empty-pattern -- playwright reads the names of what a fixture needs out of its source
    async ({}, use) => {
      let server: RunningServer | undefined;
      const served = new Set<string>();
      await use(async () => {
        const { file } = base.info();
        // A file that is run again finds none of what it wrote the time before.
        if (served.has(file)) {
          await server?.close();
          server = undefined;
          served.clear();
        }
        served.add(file);
        server ??= await openServer();
        return server;
      });
      await server?.close();
    },
    { scope: 'worker' },
  ],
});
