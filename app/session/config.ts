import { calls } from '../../shared/api/index.ts';
import type { AnswerOf } from '../../shared/api/index.ts';
import type { Clock } from '../db/clock.ts';
import type { DeviceDb } from './device-db.ts';

/** The addresses of sign-in and files, and the public key (`GET /api/config`). */
export type Config = AnswerOf<'config.read'>;

export interface ConfigPorts {
  fetch: typeof fetch;
  db: DeviceDb;
  clock: Clock;
  log(event: string, detail: string): void;
}

/** The longest wait for the network where the device has a copy. */
const timeoutMs = 2_000;

/**
 * The configuration: from the server, and where that fails or takes over 2 s, the last good one of this device. A later
 * answer of the server is kept for the next start. Rejects, with words for the person, only where there is no copy.
 */
export async function readConfig(ports: ConfigPorts): Promise<Config> {
  const asked = askServer(ports);
  // A caller that waits below hears of a failure; without this, one that comes after the copy was served would be
  // unhandled.
  asked.catch((error: unknown) => ports.log('config', String(error)));
  const kept = await readKept(ports);
  if (kept === undefined) return asked;
  let cancel = () => undefined as void;
  const timeout = new Promise<Config>((resolve) => {
    cancel = ports.clock.setTimer(timeoutMs, () => resolve(kept));
  });
  const config = await Promise.race([asked.catch(() => kept), timeout]);
  cancel();
  return config;
}

/**
 * The device's copy alone, for the service worker: what it has to send comes from a person who has used the app before.
 */
export async function readKept({ db, log }: Pick<ConfigPorts, 'db' | 'log'>): Promise<Config | undefined> {
  try {
    const kept = calls['config.read'].answer.safeParse((await db.entries.get('config'))?.value);
    return kept.success ? asOpened(kept.data) : undefined;
  } catch (error) {
    log('config-unreadable', String(error));
    return undefined;
  }
}

async function askServer({ fetch, db, log }: ConfigPorts): Promise<Config> {
  const answer = await fetchAnswer(fetch).catch((error: unknown) => {
    throw new Error(
      `Unable to load application configuration: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  });
  const config = calls['config.read'].answer.safeParse(answer);
  if (!config.success) throw new Error('Invalid configuration received from server');
  await db.entries
    .put({ key: 'config', value: config.data })
    .catch((error: unknown) => log('config-unkept', String(error)));
  return asOpened(config.data);
}

async function fetchAnswer(fetch: ConfigPorts['fetch']): Promise<unknown> {
  const { method, path } = calls['config.read'];
  const response = await fetch(path, { method, headers: { accept: 'application/json' }, cache: 'no-store' });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  return response.json();
}

/**
 * Sign-in and files of the server itself are at the address where the app was opened, whatever address the server is
 * configured with.
 */
function asOpened(config: Config): Config {
  return config.isEmbedded === true ? { ...config, supabaseUrl: location.origin } : config;
}
