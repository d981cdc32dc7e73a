import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';

/** Ids by which an exchange can be found again in the server's log. */
export interface Trace {
  /** Unique to this request. */
  requestId(): string;
  /**
   * This device, for this person alone: made here, kept with their data, deleted with it. Undefined where storage
   * fails; no exchange waits for it.
   */
  deviceId(): Promise<string | undefined>;
}

export function createTrace(db: PersonDb): Trace {
  let read: string | undefined;
  return {
    requestId: () => crypto.randomUUID(),
    deviceId: async () =>
      (read ??= await withConnection(db, () =>
        db.transaction('rw', 'meta', async () => {
          const known = (await db.meta.get('device'))?.value;
          if (typeof known === 'string') return known;
          const made = crypto.randomUUID();
          await db.meta.put({ key: 'device', value: made });
          return made;
        }),
      ).catch(() => undefined)),
  };
}
