import type { Clock } from '../db/clock.ts';
import type { PersonDb } from '../db/person-db.ts';

/** Most entries kept. */
export const logSize = 500;

export interface Log {
  /** Uids, codes and counts only: no names, addresses, texts. Never throws, never waited for. */
  add(event: string, detail?: string): void;
  /** Resolves when everything added so far is written. */
  flush(): Promise<void>;
}

/**
 * A ring on the device, for support. `onLost`: an entry could not be written; there is nowhere else to write that down.
 */
export function createLog(
  db: PersonDb,
  clock: Clock,
  onAdd: (event: string, detail: string) => void,
  onLost: (error: unknown) => void,
): Log {
  let down: Promise<void> = Promise.resolve();
  async function write(at: string, event: string, detail: string): Promise<void> {
    try {
      await db.transaction('rw', 'log', async () => {
        const seq = await db.log.add({ at, event, detail } as Parameters<typeof db.log.add>[0]);
        if (typeof seq === 'number')
          await db.log
            .where('seq')
            .belowOrEqual(seq - logSize)
            .delete();
      });
    } catch (error) {
      onLost(error);
    }
  }
  return {
    add: (event, detail = '') => {
      const at = new Date(clock.now()).toISOString();
      onAdd(event, detail);
      down = down.then(() => write(at, event, detail));
    },
    flush: () => down,
  };
}
