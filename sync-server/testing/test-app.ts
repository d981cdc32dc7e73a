import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bounds } from '../http/bounds.ts';
import { createApp, type AppParts } from '../app.ts';
import { readConfig } from '../lib/config.ts';
import type { Deps } from '../ports/deps.ts';
import { createLog, type Log } from '../lib/log.ts';

export interface TestApp {
  /** `http://127.0.0.1:port`, without a slash at the end. */
  origin: string;
  deps: Deps;
  /** Every line logged so far. */
  logged: () => string;
  /** `fetch` below the origin. */
  call(path: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

/**
 * The real app over the given database and the other `Deps` that a test replaces, on a port of its own. `close` does
 * not close the database.
 */
export async function openTestApp(given: Pick<Deps, 'database'> & Partial<Deps>, parts?: AppParts): Promise<TestApp> {
  const lines: string[] = [];
  const closing = new AbortController();
  const log: Log = createLog('debug', { write: (line) => void lines.push(line) });
  const deps: Deps = {
    config: readConfig({ LOG_LEVEL: 'debug' }),
    log,
    clock: () => new Date(),
    verifyToken: () => Promise.resolve(undefined),
    anonKey: 'test-anon-key',
    payments: undefined,
    closing: closing.signal,
    embedded: [],
    probes: [],
    retention: [],
    personalDataOf: () => Promise.resolve({}),
    backUp: () => Promise.reject(new Error('nothing to back up in this test')),
    ...given,
  };
  const server = createServer({ keepAliveTimeout: bounds.idleMs }, createApp(deps, parts));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    deps,
    logged: () => lines.join(''),
    call: (path, init) => fetch(origin + path, init),
    close: async () => {
      closing.abort();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}
