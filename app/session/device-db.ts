import type { Dexie, DexieOptions, EntityTable } from 'dexie';
import { openDb } from '../db/abort-on-pagehide.ts';

/** Who uses this device: outlives a session that the provider ended, so that reading goes on (C10). */
export interface Person {
  readonly userId: string;
  readonly email: string;
}

export interface DeviceEntry {
  /**
   * `person`, `config`, `alerts` (id of the person who turned them on here), `alertsLeft` (whom they were turned off
   * for, and at which address, while the server does not know), `leaving:<userId>` (their log-out has begun and must be
   * finished; `leaving` alone is an older app's), `emptied:<userId>` (all that is left of theirs is an empty database,
   * which another tab held), `mark:<userId>` (their database existed here, C4), `former:<userId>` (ids under which the
   * same address was here before: a restored server did not know them any more), `screen:<path>` (kept-screens.ts),
   * `auth:<key>` (what the authentication client keeps).
   */
  key:
    | 'person'
    | 'config'
    | 'alerts'
    | 'alertsLeft'
    | 'leaving'
    | `leaving:${string}`
    | `emptied:${string}`
    | `mark:${string}`
    | `former:${string}`
    | `screen:${string}`
    | `auth:${string}`;
  value: unknown;
}

/**
 * What belongs to the device, not to a person. In IndexedDB and not in localStorage, so that the service worker can
 * read it (C9).
 */
export type DeviceDb = Dexie & { readonly entries: EntityTable<DeviceEntry, 'key'> };

export function openDeviceDb(options: DexieOptions = {}): DeviceDb {
  const db = openDb('dwang-device', { chromeTransactionDurability: 'strict', ...options });
  db.version(1).stores({ entries: 'key' });
  return db as DeviceDb;
}
