import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '../lib/log.ts';
import { readConfig } from '../lib/config.ts';
import { openWatch, type Watch } from '../ops/health/watch.ts';
import { openOperate, type Operate } from '../ops/operate/open-operate.ts';
import { plainJobs } from '../ops/retention/plain-jobs.ts';
import { exchangeRoute } from '../sync/exchange-route.ts';
import { openSyncHarness, type SyncHarness } from './sync-harness.ts';
import { openTestApp, type TestApp } from './test-app.ts';
import type { databases } from './test-db.ts';

/** The operator's, where the harness is opened with one. */
export const token = 'an-admin-token-of-the-test';

export interface OperateHarness extends SyncHarness {
  dataDir: string;
  /** Every line that the app has logged. */
  appLogged: string[];
  app: TestApp;
  operate: Operate;
  watch: Watch;
  /** The same machine, started again with these settings. */
  restart(env: Record<string, string>): Promise<void>;
}

/** A server with the operator's calls and pages, over a database without people. */
export async function openOperateHarness(kind: (typeof databases)[number]): Promise<OperateHarness> {
  const appLogged: string[] = [];
  const dataDir = await mkdtemp(join(tmpdir(), 'dwang-operate-'));
  const harness = await openSyncHarness(kind);
  const start = async (env: Record<string, string>) => {
    const config = readConfig({ DATA_DIR: dataDir, DEMO: '0', ...env });
    const log = createLog('debug', { write: (line) => void appLogged.push(line) });
    const deps = { config, log, database: harness.db, clock: harness.now, retention: plainJobs, anonKey: 'anon' };
    const watch = openWatch(deps);
    const verifyToken = (given: string) =>
      Promise.resolve(given.length === 36 ? { userId: given, email: 'x@example.nz' } : undefined);
    const before = await openTestApp({ ...deps, verifyToken });
    const operate = await openOperate({
      ...before.deps,
      watch,
      poke: {
        listeners: () => 3,
        oldestUnsentMs: () => 0,
        memory: () => ({ isFresh: true, headAgeMs: 1, proofAgeMs: 1 }),
      },
      ownUrl: 'http://127.0.0.1:1',
    });
    await before.close();
    const exchange = exchangeRoute({
      exchange: harness.exchange,
      observe: watch.observe,
      anonKey: 'anon',
      verifyToken,
    });
    const app = await openTestApp({ ...deps, verifyToken }, { sync: [exchange, ...operate.routers] });
    return { app, operate, watch };
  };
  const stop = async ({ app, operate, watch }: Awaited<ReturnType<typeof start>>) => {
    await app.close();
    await operate.close();
    await watch.close();
  };
  const opened: OperateHarness = {
    ...harness,
    ...(await start({ ADMIN_TOKEN: token })),
    dataDir,
    appLogged,
    restart: async (env) => {
      await stop(opened);
      Object.assign(opened, await start(env));
    },
    close: async () => {
      await stop(opened);
      await harness.close();
      await rm(dataDir, { recursive: true });
    },
  };
  return opened;
}
