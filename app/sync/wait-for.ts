import type { Clock } from '../db/clock.ts';
import type { PersonDb, RejectedEntry } from '../db/person-db.ts';
import type { Rows } from '../db/private-rows.ts';
import type { AppliedNote } from './decided.ts';

/** The outcome of a mutation. `still-waiting` is no failure: it is on this device and will be sent. */
export type Decision =
  | { kind: 'applied' }
  | { kind: 'rejected'; rejected: RejectedEntry }
  | { kind: 'cancelled' }
  | { kind: 'still-waiting' };

/**
 * Waits until a mutation is decided, `ms` at most (`Infinity` to wait while the app is open). Whichever tab gets the
 * answer: this reads what is on the disk, and what an answer has brought that is being written there. "Applied" is said
 * on evidence, not because the outbox is empty.
 */
export function waitFor(db: PersonDb, clock: Clock, uid: string, ms: number): Promise<Decision> {
  return new Promise((resolve, reject) => {
    let cancel = () => {};
    let seen = '';
    const look = () => {
      const { rows } = db;
      const state = rows.state();
      if (state.kind === 'failed') {
        stopWatching();
        cancel();
        return reject(state.error);
      }
      const now = `${rows.version('outbox')} ${rows.version('refused')} ${rows.version('meta/applied')}`;
      // A commit that is being read once more may be the one that queued it: not to be here yet does not mean that it
      // is cancelled.
      if (rows.at() === undefined || now === seen) return;
      seen = now;
      const decision = decisionOn(rows.shown, uid);
      if (decision.kind !== 'still-waiting') end(decision);
    };
    const stopWatching = db.rows.subscribe(look);
    function end(decision: Decision): void {
      cancel();
      stopWatching();
      resolve(decision);
    }
    if (ms !== Infinity) cancel = clock.setTimer(ms, () => end({ kind: 'still-waiting' }));
    look();
  });
}

function decisionOn({ outbox, refused, meta }: Rows, uid: string): Decision {
  if (outbox.has(uid)) return { kind: 'still-waiting' };
  const rejected = refused.get(uid);
  if (rejected !== undefined) return { kind: 'rejected', rejected };
  const applied = (meta.get('applied')?.value ?? []) as AppliedNote[];
  return applied.some((note) => note.uid === uid) ? { kind: 'applied' } : { kind: 'cancelled' };
}
