import type { Clock } from '../db/clock.ts';
import { withConnection } from '../db/connection.ts';
import type { PersonDb } from '../db/person-db.ts';
import { errorName } from '../db/storage-errors.ts';
import type { Log } from './log.ts';
import type { ChannelPort, LocksPort } from './ports.ts';

/*
 * One tab syncs (C6, I11). The lock is queued for normally; a leader whose tab sleeps is found out by its missing
 * heartbeat and its lock is stolen; what it may still try to write is stopped by the epoch, which each transaction that
 * applies an answer checks.
 */

export const beatMs = 3_000;
const watchMs = 2_500;
/**
 * Four reads in a row of the same heartbeat: 10 s. Counted, not measured: a tab that slept itself must read it again
 * first.
 */
const checksBeforeSteal = 4;
const againMs = 100;
const maxBlockedMs = 10_000;

export interface LeaderPorts {
  db: PersonDb;
  userId: string;
  clock: Clock;
  locks: LocksPort;
  channel: ChannelPort;
  log: Log;
  isVisible(): boolean;
  onElected(epoch: number): void;
  onDeposed(): void;
  /** The storage does not let this tab lead. It goes on asking. */
  onBlocked(error: unknown): void;
}

export interface Leader {
  start(): void;
  /** Lets the lock go and asks for it no more. */
  stop(): void;
  /** Lets the lock go and queues for it again. */
  stepDown(): void;
}

interface Leadership {
  epoch: number;
  beat: number;
}

export const lockName = (userId: string) => `dwang-sync-${userId}`;

export function createLeader(ports: LeaderPorts): Leader {
  const { db, clock, locks, channel, log } = ports;
  const name = lockName(ports.userId);
  /** Number of the current start; 0 while stopped. What a former start left behind sees that it is over. */
  let current = 0;
  let starts = 0;
  /** Ends the leadership or the waiting, whichever it is. */
  let endTurn = () => {};
  let isHolding = false;
  /** Claims in a row that the storage failed to write. */
  let failedClaims = 0;

  const readLeadership = async () => (await db.meta.get('leader'))?.value as Leadership | undefined;

  /** Writes what is made of the leadership there is, in one transaction; nothing where that is undefined. */
  const change = <T extends Leadership | undefined>(make: (holder: Leadership | undefined) => T): Promise<T> =>
    withConnection(db, () =>
      db.transaction('rw', 'meta', async () => {
        const changed = make(await readLeadership());
        if (changed !== undefined) await db.meta.put({ key: 'leader', value: changed });
        return changed;
      }),
    );

  /** The next epoch: no two leaders ever share one. */
  const claim = () => change((holder) => ({ epoch: (holder?.epoch ?? 0) + 1, beat: 0 }));

  /** Holds the lock until told to release it. */
  async function lead(start: number, released: Promise<void>): Promise<void> {
    if (start !== current) return;
    isHolding = true;
    let stopBeating = () => {};
    try {
      const claimed = await claim().catch((error: unknown) => {
        if (start !== current) return;
        failedClaims += 1;
        ports.onBlocked(error);
      });
      if (claimed === undefined || start !== current) return;
      const { epoch } = claimed;
      failedClaims = 0;
      log.add('leading', String(epoch));
      stopBeating = beatFrom(epoch);
      ports.onElected(epoch);
      await released;
    } finally {
      stopBeating();
      isHolding = false;
      ports.onDeposed();
    }
  }

  /** A heartbeat only while a tab waits for the lock: no other reads it, and each is a write to the disk. */
  function beatFrom(epoch: number): () => void {
    let beat = 0;
    let cancel = () => {};
    let isOver = false;
    const again = () => {
      cancel = clock.setTimer(
        beatMs,
        () =>
          void pulse()
            .catch((error: unknown) => log.add('heartbeat-failed', String(error)))
            .finally(() => !isOver && again()),
      );
    };
    const pulse = async () => {
      const { pending = [] } = await locks.query();
      if (isOver || !pending.some((request) => request.name === name)) return;
      beat += 1;
      // Only while the epoch is unchanged.
      if (await change((holder) => (holder?.epoch === epoch ? { epoch, beat } : undefined))) return;
      log.add('deposed', String(epoch));
      endTurn();
    };
    again();
    return () => {
      isOver = true;
      cancel();
    };
  }

  /**
   * While waiting: a visible tab asks a hidden leader to release the lock, and steals the lock of one that gives no
   * sign of life.
   */
  function watch(steal: () => void): () => void {
    let last: Leadership | undefined;
    let sameChecks = 0;
    let isOver = false;
    let cancel = () => {};
    const look = async () => {
      const seen = await withConnection(db, readLeadership);
      if (isOver || !ports.isVisible()) {
        sameChecks = 0;
        return;
      }
      channel.post({ kind: 'may-i-lead' });
      sameChecks = seen?.epoch === last?.epoch && seen?.beat === last?.beat ? sameChecks + 1 : 0;
      last = seen;
      if (sameChecks >= checksBeforeSteal) steal();
    };
    const again = () => {
      cancel = clock.setTimer(
        watchMs,
        () =>
          void look()
            .catch((error: unknown) => log.add('watch-failed', String(error)))
            .finally(() => !isOver && again()),
      );
    };
    again();
    return () => {
      isOver = true;
      cancel();
    };
  }

  /** One turn in the queue, and as the leader if the lock comes. */
  async function turn(start: number, isSteal: boolean): Promise<'steals' | 'over'> {
    let wantsToSteal = false;
    const queueing = new AbortController();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    endTurn = () => {
      release();
      if (!isHolding) queueing.abort();
    };
    const stopWatching = isSteal
      ? () => {}
      : watch(() => {
          wantsToSteal = true;
          queueing.abort();
        });
    try {
      await locks.request(name, isSteal ? { steal: true } : { signal: queueing.signal }, async () => {
        stopWatching();
        // The lock may have been granted already when the request was aborted.
        wantsToSteal = false;
        await lead(start, released);
      });
    } catch (error) {
      // Stolen while held, or taken out of the queue: both are AbortErrors, and both end this turn.
      if (!isAbort(error)) log.add('lock-failed', String(error));
      release();
    } finally {
      stopWatching();
    }
    return wantsToSteal ? 'steals' : 'over';
  }

  async function queue(start: number): Promise<void> {
    let isSteal = false;
    while (start === current) {
      if (isSteal) log.add('lock-stolen');
      isSteal = (await turn(start, isSteal)) === 'steals';
      // Never straight back: the tab that asked for the lock goes first, and a failing lock manager is no busy loop.
      const wait = failedClaims === 0 ? againMs : Math.min(maxBlockedMs, 1_000 * 2 ** (failedClaims - 1));
      if (start === current && !isSteal) await new Promise<void>((resolve) => void clock.setTimer(wait, resolve));
    }
  }

  let stopListening = () => {};
  return {
    start: () => {
      if (current !== 0) return;
      starts += 1;
      current = starts;
      stopListening = channel.listen((message) => {
        if (message.kind === 'may-i-lead' && isHolding && !ports.isVisible()) endTurn();
      });
      void queue(current);
    },
    stop: () => {
      current = 0;
      stopListening();
      endTurn();
    },
    stepDown: () => endTurn(),
  };
}

const isAbort = (error: unknown) => errorName(error) === 'AbortError';
