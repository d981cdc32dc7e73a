import { systemClock } from '../db/clock.ts';
import type { PersonDb } from '../db/person-db.ts';
import type { Live } from '../db/use-live.ts';
import { watchRows } from '../db/use-rows.ts';
import { watchLive } from '../db/watch-live.ts';
import { heldIn } from '../held/held-changes.ts';
import { findWaitingLogo } from '../photos/keep-logo.ts';
import type { UnsyncedNow } from '../words/item-state.ts';
import { calmed } from '../lib/calmed.ts';
import type { Watched } from '../lib/cell.ts';

/** So many waiting changes are no longer looked through for each that is made. */
const longQueue = 100;

export type Unsynced = Omit<UnsyncedNow, 'attempt'>;

/**
 * Everything that the server has not taken yet, put together once for all who ask. The queues are in memory; pictures
 * are read from the disk.
 */
export function watchUnsynced(db: PersonDb, setTimer = systemClock.setTimer): Watched<Live<Unsynced>> {
  const queues = watchRows(db.rows, ['outbox', 'refused'], ({ outbox, refused }) => {
    const queued = [...outbox.values()].toSorted(bySeq);
    return {
      outbox: queued.filter(({ state }) => state !== 'saving'),
      saving: queued.filter(({ state }) => state === 'saving'),
      rejected: [...refused.values()].toSorted(bySeq),
    };
  });
  const rest = watchLive(async () => {
    const [photos, logo, held] = await Promise.all([
      db.photos.where('state').notEqual('uploaded').toArray(),
      findWaitingLogo(db),
      heldIn(db),
    ]);
    return { photos, logo, held };
  });
  return calmed(combine(queues, rest), isLong, setTimer);
}

const isLong = (read: Live<Unsynced>) => read.state === 'ready' && read.value.outbox.length > longQueue;

const bySeq = (one: { seq: number }, other: { seq: number }) => one.seq - other.seq;

function combine<One extends object, Other extends object>(
  one: Watched<Live<One>>,
  other: Watched<Live<Other>>,
): Watched<Live<One & Other>> {
  let seen: readonly [Live<One>?, Live<Other>?] = [];
  let both: Live<One & Other> = { state: 'reading' };
  return {
    current: () => {
      const [a, b] = [one.current(), other.current()];
      if (seen[0] === a && seen[1] === b) return both;
      seen = [a, b];
      if (a.state === 'ready' && b.state === 'ready') both = { state: 'ready', value: { ...a.value, ...b.value } };
      else both = a.state === 'failed' ? a : b.state === 'failed' ? b : { state: 'reading' };
      return both;
    },
    subscribe: (listener) => {
      const stops = [one.subscribe(listener), other.subscribe(listener)];
      return () => stops.forEach((stop) => stop());
    },
  };
}
