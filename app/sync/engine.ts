import type { CarriedChange } from '../../shared/protocol/poke.ts';
import type { CancelTimer } from '../db/clock.ts';
import { errorName, isQuotaExceeded } from '../db/storage-errors.ts';
import { within } from '../db/within.ts';
import type { Watched } from '../lib/cell.ts';
import { backoffMs, maxWaitMs } from './backoff.ts';
import { createClassify, createProgress, type ClassifyHooks, type Verdict } from './classify-exchange.ts';
import { exchange, takeChange, type Exchanged } from './exchange.ts';
import { recordLastError } from './record-last-error.ts';
import type { SyncPorts, WakeReason } from './ports.ts';
import {
  onReport,
  onSignal,
  obstacleOf,
  signalOf,
  type BackingOff,
  type Exchanging,
  type Next,
  type Signal,
  type State,
} from './state.ts';
import { slowAfterMs, type SyncStatus } from './status.ts';

/*
 * Runs the state machine of state.ts; what an answer means for it is in classify-exchange.ts. It runs only while this
 * tab leads, and keeps nothing that it could not lose: what it needs to go on is in IndexedDB.
 *
 * Places where it asks again at once, and what keeps each from going round for ever:
 *  L1 a page said there is more         the cookie must have moved
 *  L2 mutations still wait              something was decided, or nothing was sent this time (a page, a probe)
 *  L3 the server said reset             twice at most before an answer was whole: a page in between does not count
 *  L4 401, and the session was renewed  once, until an answer has been applied
 *  L5 413 (or 400): send fewer          down to one
 *  L6 woken while exchanging            one more exchange, however many wakes
 *  L9 a carried change begins elsewhere  an exchange follows, and no change is applied again
 *  L8 the collections have more to ask  twice in a row at most: a collection that became this person's, then what its
 * manifest lacks Everything else goes through the back-off (L7) or waits to be woken.
 */

export interface Engine {
  /** This tab leads from now on, under this epoch. */
  lead(epoch: number): void;
  /** It no longer leads. */
  halt(): void;
  wake(reason: WakeReason): void;
  /** Applies a change that an event has carried; asks where it cannot. */
  take(change: CarriedChange): void;
  /**
   * Will this mutation be sent as soon as it is on the disk? Then it is marked as sent (C7) in the transaction that
   * writes it, instead of in one more.
   */
  goesNext(uid: string): boolean;
}

export interface EngineHooks extends ClassifyHooks {
  status: Watched<SyncStatus>;
  /** Each time the loop comes to rest or begins to wait. */
  onRest(): void;
  onTick(): void;
  /**
   * Called before each exchange; rejects where this device's data may be gone and cannot be looked at: then nothing is
   * asked or applied.
   */
  checkDevice(): Promise<unknown>;
}

/** The 60 s question is every second tick; the watchdog restarts the loop at the third without a try (90 s). */
export const tickMs = 30_000;
const ticksToAsk = 2;
const ticksToRestart = 3;
const countMs = 5_000;
/** Carried changes kept during one exchange. */
const maxHeld = 8;

/** While this tab leads. */
interface Leading {
  readonly epoch: number;
  ticks: number;
  /** Ticks since the last exchange began. */
  untried: number;
  cancelTick: CancelTimer;
}

export function createEngine(ports: SyncPorts, hooks: EngineHooks): Engine {
  const { clock } = ports;
  const { log, status, setStatus } = hooks;
  const progress = createProgress();
  const classify = createClassify(ports, hooks, progress);
  let leading: Leading | undefined;
  let state: State = { phase: 'idle' };

  function hear(signal: Signal): void {
    if (leading === undefined) return;
    if (signal === 'tap') progress.failures = 0;
    step(leading, onSignal[state.phase][signal]);
  }

  function step(asLeader: Leading, next: Next, retryAfterMs?: number, why?: string): void {
    if (next.act === 'go-again' && state.phase === 'exchanging') state.goAgain = true;
    if (next.act === 'exchange') begin(asLeader);
    if (next.act === 'rest') enter({ phase: next.to });
    if (next.act === 'back-off') enter(backOff(next.to, retryAfterMs));
    if (why !== undefined) log.add(`loop-${state.phase}`, why);
    show();
  }

  /** Leaves the present state, and what it holds. */
  function enter(entered: State): void {
    state.cancel?.();
    state = entered;
  }

  function show(): void {
    const isAsking = state.phase === 'exchanging';
    setStatus({ phase: obstacleOf(state) ?? state.phase, isAsking });
    if (!isAsking) hooks.onRest();
  }

  function backOff(phase: BackingOff['phase'], retryAfterMs: number | undefined): BackingOff {
    progress.failures += 1;
    const wait =
      retryAfterMs === undefined
        ? backoffMs(progress.failures, ports.random.next())
        : Math.min(maxWaitMs, Math.max(retryAfterMs, backoffMs(1, ports.random.next())));
    const cancel = clock.setTimer(wait, () => hear('due'));
    return { phase, cancel, isHeld: retryAfterMs !== undefined };
  }

  /** Exchanges; or applies carried changes, where there are some. */
  function begin(asLeader: Leading, changes: readonly CarriedChange[] = []): void {
    const request = new AbortController();
    const cancel = () => request.abort();
    const mine: Exchanging = { phase: 'exchanging', cancel, obstacle: obstacleOf(state), goAgain: false, changes: [] };
    enter(mine);
    asLeader.untried = 0;
    void run(asLeader, mine, request.signal, changes);
  }

  async function run(
    asLeader: Leading,
    mine: Exchanging,
    signal: AbortSignal,
    [change, ...later]: readonly CarriedChange[],
  ): Promise<void> {
    const { epoch } = asLeader;
    const startedAt = clock.now();
    const cancelSlow = clock.setTimer(slowAfterMs, () => {
      if (state !== mine) return;
      const { reach } = status.current();
      // The app was just opened, and the device reports a network: nothing else would say for 30 s that no answer
      // comes.
      if (reach === 'online' || (reach === 'unknown' && ports.seemsOnline())) setStatus({ reach: 'slow' });
    });
    let verdict: Verdict;
    try {
      await hooks.checkDevice();
      if (change?.answer.journal !== undefined) progress.timelines = undefined;
      const exchanged = change === undefined ? await ask(epoch, signal) : await takeChange(ports, epoch, change);
      if (state !== mine) return;
      verdict = await classify(exchanged, clock.now() - startedAt);
      if (verdict.event === 'failed') await recordLastError(ports.db, epoch, exchanged);
    } catch (error) {
      if (state === mine) setStatus({ isStorageFull: isQuotaExceeded(error) });
      verdict = { event: 'storage-failed', why: errorName(error) };
    } finally {
      cancelSlow();
    }
    if (state !== mine) return;
    const { event, retryAfterMs, why } = verdict;
    const changes = [...later, ...mine.changes];
    if (event === 'settled' && !mine.goAgain && changes.length > 0) return begin(asLeader, changes);
    step(asLeader, onReport[event === 'settled' && mine.goAgain ? 'more' : event], retryAfterMs, why); // L6
  }

  async function ask(epoch: number, signal: AbortSignal): Promise<Exchanged> {
    const options = { ...progress, epoch, signal };
    // What this answer leaves is known when it is here.
    Object.assign(progress, { marked: undefined, timelines: undefined });
    const exchanged = await exchange(ports, options);
    if (!signal.aborted) progress.timelines = exchanged.timelines;
    return exchanged;
  }

  function tick(asLeader: Leading): void {
    asLeader.cancelTick = clock.setTimer(tickMs, () => tick(asLeader));
    asLeader.ticks += 1;
    asLeader.untried += 1;
    hooks.onTick();
    if (!ports.isVisible()) return;
    if (asLeader.ticks % ticksToAsk === 0) hear('timer');
    if (asLeader.untried >= ticksToRestart) void restart(asLeader);
  }

  /** Writes wait, the page is visible, and nothing was tried for 90 s: whatever the loop hangs on, begin anew (C8). */
  async function restart(asLeader: Leading): Promise<void> {
    const hung = state;
    if (hung.phase === 'needs-sign-in' || hung.phase === 'needs-update') return;
    // The storage itself may be what hangs.
    const waiting = await within(
      clock,
      countMs,
      ports.db.outbox.count().catch(() => 1),
      1,
    );
    if (waiting === 0 || state !== hung) return;
    log.add('watchdog', hung.phase);
    begin(asLeader);
    show();
  }

  return {
    lead: (epoch) => {
      Object.assign(progress, { paging: undefined, resets: 0, failures: 0, timelines: undefined, marked: undefined });
      const begun: Leading = {
        epoch,
        ticks: 0,
        untried: 0,
        cancelTick: clock.setTimer(tickMs, () => tick(begun)),
      };
      leading = begun;
      hear('hint');
    },
    halt: () => {
      if (leading === undefined) return;
      leading.cancelTick();
      leading = undefined;
      enter({ phase: 'idle' });
      show();
    },
    take: (change) => {
      if (leading === undefined) return;
      if (state.phase === 'exchanging' && state.changes.length < maxHeld) state.changes.push(change);
      else if (state.phase === 'idle') {
        begin(leading, [change]);
        show();
      } else hear('wake');
    },
    goesNext: (uid) => {
      const isFree = leading !== undefined && state.phase === 'idle' && progress.timelines !== undefined;
      if (!isFree || progress.marked !== undefined || progress.paging !== undefined || !ports.seemsOnline())
        return false;
      if (ports.db.rows.stored.outbox.size > 0) return false;
      progress.marked = uid;
      return true;
    },
    wake: (reason) => {
      const signal = signalOf[reason];
      hear(signal === 'hint' && state.isHeld ? 'wake' : signal);
    },
  };
}
