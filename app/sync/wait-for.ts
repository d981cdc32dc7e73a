import { liveQuery } from 'dexie';
import type { Clock } from '../db/clock.ts';
import type { PersonDb, RejectedEntry } from '../db/person-db.ts';
import { appliedNotes } from './decided.ts';

/** The outcome of a mutation. `still-waiting` is no failure: it is on this device and will be sent. */
export type Decision =
  | { kind: 'applied' }
  | { kind: 'refused'; rejected: RejectedEntry }
  | { kind: 'cancelled' }
  | { kind: 'still-waiting' };

/**
 * Waits until a mutation is decided, `ms` at most (`Infinity` to wait while the app is open). Whichever tab gets the answer:
 * this reads the disk. "Applied" is said on evidence, not because the outbox is empty.
 */
export function waitFor(db: PersonDb, clock: Clock, uid: string, ms: number): Promise<Decision> {
  return new Promise((resolve, reject) => {
    let cancel = () => {};
    const watching = liveQuery(() => decisionOn(db, uid)).subscribe({
      next: (decision) => {
        if (decision.kind !== 'still-waiting') end(decision);
      },
      error: (error: unknown) => {
        cancel();
        reject(error);
      },
    });
    function end(decision: Decision): void {
      cancel();
      watching.unsubscribe();
      resolve(decision);
    }
    if (ms !== Infinity) cancel = clock.setTimer(ms, () => end({ kind: 'still-waiting' }));
  });
}

async function decisionOn(db: PersonDb, uid: string): Promise<Decision> {
  return db.transaction('r', ['outbox', 'refused', 'meta'], async (): Promise<Decision> => {
    if ((await db.outbox.get({ uid })) !== undefined) return { kind: 'still-waiting' };
    const rejected = await db.refused.get(uid);
    if (rejected !== undefined) return { kind: 'refused', rejected };
    return (await appliedNotes(db)).some((note) => note.uid === uid) ? { kind: 'applied' } : { kind: 'cancelled' };
  });
}
