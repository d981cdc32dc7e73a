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

/** A start that is not stopped yet. */
interface Started {
  readonly stopListening: () => void;
  /** Ends the leadership or the waiting, whichever it is. */
  endTurn(): void;
  isHolding: boolean;
  /** Claims in a row that the storage failed to write. */
  failedClaims: number;
}

export const lockName = (userId: string) => `dwang-sync-${userId}`;

export function createLeader(ports: LeaderPorts): Leader {
  const { db, clock, locks, channel, log } = ports;
  const name = lockName(ports.userId);
  /** What a former start left behind sees that it is over: its `Started` is another one. */
  let started: Started | undefined;

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
  async function lead(mine: Started, released: Promise<void>): Promise<void> {
    if (mine !== started) return;
    mine.isHolding = true;
    let stopBeating = () => {};
    try {
      const claimed = await claim().catch((error: unknown) => {
        if (mine !== started) return;
        mine.failedClaims += 1;
        ports.onBlocked(error);
      });
      if (claimed === undefined || mine !== started) return;
      const { epoch } = claimed;
      mine.failedClaims = 0;
      log.add('leading', String(epoch));
      stopBeating = beatFrom(mine, epoch);
      ports.onElected(epoch);
      await released;
    } finally {
      stopBeating();
      mine.isHolding = false;
      ports.onDeposed();
    }
  }

  /** Does the work every `ms`, one at a time. Returns the function that stops it. */
  function every(ms: number, failure: string, work: (over: AbortSignal) => Promise<void>): () => void {
    const over = new AbortController();
    const again = () => {
      if (over.signal.aborted) return;
      const report = (error: unknown) => log.add(failure, String(error));
      const cancel = clock.setTimer(ms, () => void work(over.signal).catch(report).finally(again));
      over.signal.onabort = cancel;
    };
    again();
    return () => over.abort();
  }

  /** A heartbeat only while a tab waits for the lock: no other reads it, and each is a write to the disk. */
  function beatFrom(mine: Started, epoch: number): () => void {
    let beat = 0;
    return every(beatMs, 'heartbeat-failed', async (over) => {
      const { pending = [] } = await locks.query();
      if (over.aborted || !pending.some((request) => request.name === name)) return;
      beat += 1;
      // The heartbeat is written only while the epoch is unchanged.
      if (await change((holder) => (holder?.epoch === epoch ? { epoch, beat } : undefined))) return;
      log.add('deposed', String(epoch));
      mine.endTurn();
    });
  }

  /**
   * While waiting: a visible tab asks a hidden leader to release the lock, and steals the lock of one that gives no
   * sign of life.
   */
  function watch(steal: () => void): () => void {
    const seen = { last: undefined as Leadership | undefined, checks: 0 };
    return every(watchMs, 'watch-failed', async (over) => {
      const now = await withConnection(db, readLeadership);
      if (over.aborted || !ports.isVisible()) {
        seen.checks = 0;
        return;
      }
      channel.post({ kind: 'may-i-lead' });
      seen.checks = now?.epoch === seen.last?.epoch && now?.beat === seen.last?.beat ? seen.checks + 1 : 0;
      seen.last = now;
      if (seen.checks >= checksBeforeSteal) steal();
    });
  }

  /** One turn in the queue, and as the leader if the lock comes. */
  async function turn(mine: Started, isSteal: boolean): Promise<'steals' | 'over'> {
    let wantsToSteal = false;
    const queueing = new AbortController();
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    mine.endTurn = () => {
      release();
      if (!mine.isHolding) queueing.abort();
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
        await lead(mine, released);
      });
    } catch (error) {
      // A lock that is stolen while held, and a request taken out of the queue, both reject with an AbortError and end
      // this turn.
      if (!isAbort(error)) log.add('lock-failed', String(error));
      release();
    } finally {
      stopWatching();
    }
    return wantsToSteal ? 'steals' : 'over';
  }

  async function queue(mine: Started): Promise<void> {
    let isSteal = false;
    while (mine === started) {
      if (isSteal) log.add('lock-stolen');
      isSteal = (await turn(mine, isSteal)) === 'steals';
      // The tab that asked for the lock goes first, and a failing lock manager is no busy loop: so this tab never asks
      // straight back.
      const wait = mine.failedClaims === 0 ? againMs : Math.min(maxBlockedMs, 1_000 * 2 ** (mine.failedClaims - 1));
      if (mine === started && !isSteal) await new Promise<void>((resolve) => void clock.setTimer(wait, resolve));
    }
  }

  return {
    start: () => {
      if (started !== undefined) return;
      const stopListening = channel.listen((message) => {
        if (message.kind === 'may-i-lead' && mine.isHolding && !ports.isVisible()) mine.endTurn();
      });
      const mine: Started = { stopListening, endTurn: () => {}, isHolding: false, failedClaims: 0 };
      started = mine;
      void queue(mine);
    },
    stop: () => {
      const ended = started;
      started = undefined;
      ended?.stopListening();
      ended?.endTurn();
    },
    stepDown: () => started?.endTurn(),
  };
}

const isAbort = (error: unknown) => errorName(error) === 'AbortError';
