import { maxMutations } from '../../shared/protocol/exchange.ts';
import { isQuotaExceeded } from '../db/storage-errors.ts';
import { within } from '../db/within.ts';
import { backoffMs, longestWaitMs } from './backoff.ts';
import { exchange, type Exchanged } from './exchange.ts';
import type { Log } from './log.ts';
import { noteCause } from './note-cause.ts';
import type { Settable } from './observable.ts';
import type { SyncPorts, TransportFailure, WakeReason } from './ports.ts';
import { eventOfWake, next, type LoopEvent, type State } from './state.ts';
import { slowAfterMs, type Reach, type SyncStatus } from './status.ts';

/*
 * Runs the state machine of state.ts. It runs only while this tab leads, and keeps nothing that it could not lose: what it needs to go on
 * is in IndexedDB.
 *
 * Places where it asks again at once, and what keeps each from going round for ever:
 *  L1 a page said there is more         the cookie must have moved
 *  L2 mutations still wait              something was decided, or nothing was sent this time (a page, a probe)
 *  L3 the server said reset             twice at most before an answer was whole: a page in between does not count
 *  L4 401, and the session was renewed  once, until an answer has been applied
 *  L5 413 (or 400): send fewer          down to one
 *  L6 woken while exchanging            one more exchange, however many wakes
 *  L8 the collections have more to ask  twice in a row at most: a collection that became this person's, then what its manifest lacks
 * Everything else goes through the back-off (L7) or waits to be woken.
 */

export interface Engine {
  /** This tab leads from now on, under this epoch. */
  lead(epoch: number): void;
  /** It no longer leads. */
  halt(): void;
  wake(reason: WakeReason): void;
}

export interface EngineHooks {
  log: Log;
  status: Settable<SyncStatus>;
  onDeposed(): void;
  /** Each time the loop comes to rest or begins to wait. */
  onRest(): void;
  onTick(): void;
}

/** The 60 s question is every second tick; the watchdog restarts the loop at the third without a try (90 s). */
export const tickMs = 30_000;
const ticksToAsk = 2;
/** Uids named in one line of the device's log. */
const tracedUids = 20;
const ticksToRestart = 3;
const countMs = 5_000;

type Verdict = { event: LoopEvent; retryAfterMs?: number | undefined; why?: string };

export function createEngine(ports: SyncPorts, hooks: EngineHooks): Engine {
  const { clock, log, status } = { ...ports, ...hooks };
  let state: State = 'idle';
  let epoch: number | undefined;
  /** Counts exchanges begun and given up on, so that a late report is recognised. */
  let turn = 0;
  let underWay = new AbortController();
  let failures = 0;
  let goAgain = false;
  /** Mutations whose outcomes come with the last page; undefined between pages. */
  let paging: readonly string[] | undefined;
  let limit = maxMutations;
  let resets = 0;
  let hasRefreshed = false;
  let collectionRounds = 0;
  let hasHeard = false;
  let isHeldByServer = false;
  let ticksUntried = 0;
  let ticks = 0;
  /** Shown while the loop tries in the background whether an obstacle is still there. */
  let obstacle: State | undefined;
  let cancelDue = () => {};
  let cancelTick = () => {};

  function dispatch({ event, retryAfterMs, why }: Verdict): void {
    if (epoch === undefined) return;
    const { to, act } = next(state, event);
    if (why !== undefined) log.add(`loop-${to}`, why);
    state = to;
    if (event === 'tap' || event === 'signed-in') failures = 0;
    if (act === 'go-again') goAgain = true;
    if (act === 'back-off') backOff(retryAfterMs);
    if (act === 'exchange' || act === 'exchange-afresh') begin(epoch);
    if (to === 'needs-sign-in' || to === 'needs-update' || to === 'storage-blocked') obstacle = to;
    else if (to !== 'exchanging') obstacle = undefined;
    status.set({ phase: obstacle ?? state, isAsking: state === 'exchanging' });
    if (state !== 'exchanging') hooks.onRest();
  }

  /** L7: the only timer of a waiting loop; the watchdog restarts the loop where it is lost. */
  function backOff(retryAfterMs: number | undefined): void {
    failures += 1;
    isHeldByServer = retryAfterMs !== undefined;
    const wait =
      retryAfterMs === undefined
        ? backoffMs(failures, ports.random.next())
        : Math.min(longestWaitMs, Math.max(retryAfterMs, backoffMs(1, ports.random.next())));
    cancelDue = clock.setTimer(wait, () => dispatch({ event: 'due' }));
  }

  function begin(asLeader: number): void {
    cancelDue();
    goAgain = false;
    ticksUntried = 0;
    turn += 1;
    underWay = new AbortController();
    void run(asLeader, turn, underWay.signal);
  }

  async function run(asLeader: number, mine: number, signal: AbortSignal): Promise<void> {
    const startedAt = clock.now();
    const cancelSlow = clock.setTimer(slowAfterMs, () => {
      if (mine !== turn) return;
      const { reach } = status.get();
      // Just opened, and the device reports a network: nothing else would say for 30 s that no answer comes.
      if (reach === 'online' || (reach === 'unknown' && ports.seemsOnline())) status.set({ reach: 'slow' });
    });
    let verdict: Verdict;
    try {
      const isProbe = !hasHeard && !ports.seemsOnline();
      const exchanged = await exchange(ports, { epoch: asLeader, limit, paging, isProbe, signal });
      if (mine !== turn) return;
      verdict = await classify(exchanged, clock.now() - startedAt);
      if (verdict.event === 'fault') await noteCause(ports.db, asLeader, exchanged);
    } catch (error) {
      if (mine === turn) status.set({ isStorageFull: isQuotaExceeded(error) });
      verdict = { event: 'storage-failed', why: nameOf(error) };
    } finally {
      cancelSlow();
    }
    if (mine === turn) dispatch(verdict);
  }

  async function classify(exchanged: Exchanged, tookMs: number): Promise<Verdict> {
    hasHeard = exchanged.kind === 'taken' || exchanged.kind === 'reset';
    if (hasHeard) status.set({ reach: tookMs > slowAfterMs ? 'slow' : 'online', isProfileMissing: false });
    switch (exchanged.kind) {
      case 'taken':
        trace('sent', exchanged);
        return classifyAnswer(exchanged);
      case 'reset':
        paging = undefined;
        resets += 1;
        log.add('reset', exchanged.reason);
        return resets > 2 ? { event: 'fault', why: 'reset again and again' } : { event: 'more' }; // L3
      case 'discarded':
        log.add('answer-discarded', exchanged.why);
        if (exchanged.why === 'other-question') return { event: 'fault', why: exchanged.why };
        hooks.onDeposed();
        return { event: 'deposed' };
      case 'failed':
        trace('unanswered', exchanged);
        status.set({
          reach: reachOf(exchanged.failure),
          isProfileMissing: exchanged.failure.kind === 'profile-missing',
        });
        return classifyFailure(exchanged.failure, exchanged.sentUids.length);
    }
  }

  /** Logs which mutations were sent with which request: with the server's line of the same id, a mutation can be followed from the phone to its row. */
  function trace(
    event: 'sent' | 'unanswered',
    { sentUids, requestId }: { sentUids: string[]; requestId?: string | undefined },
  ): void {
    if (requestId === undefined || sentUids.length === 0) return;
    log.add(
      event,
      [
        requestId,
        ...sentUids.slice(0, tracedUids),
        ...(sentUids.length > tracedUids ? [`and ${sentUids.length - tracedUids} more`] : []),
      ].join(' '),
    );
  }

  function classifyAnswer(taken: Exchanged & { kind: 'taken' }): Verdict {
    hasRefreshed = false;
    paging = taken.more ? (paging ?? taken.sentUids) : undefined;
    tell(taken);
    if (taken.more) return taken.hasMoved ? { event: 'more' } : { event: 'fault', why: 'the same page again' }; // L1
    resets = 0;
    status.set({ lastSynced: new Date(clock.now()).toISOString() });
    ports.uploads?.afterExchange();
    if (taken.stoppedMs !== undefined) return { event: 'fault', retryAfterMs: taken.stoppedMs, why: 'stopped' };
    if (taken.decided.length > 0) limit = Math.min(maxMutations, limit * 2);
    if (taken.waiting > 0 && taken.sentUids.length > 0 && taken.decided.length === 0)
      return { event: 'fault', why: 'nothing was decided' };
    failures = 0;
    collectionRounds = taken.hasMoreToAsk ? collectionRounds + 1 : 0;
    const isForCollections = collectionRounds > 0 && collectionRounds <= 2; // L8
    return { event: taken.waiting > 0 || goAgain || isForCollections ? 'more' : 'settled' }; // L2, L6
  }

  async function classifyFailure(failure: TransportFailure, sent: number): Promise<Verdict> {
    switch (failure.kind) {
      case 'unauthorized':
        return classifyUnauthorized();
      case 'other-person':
        return { event: 'unauthorized', why: failure.kind };
      case 'too-old':
        return { event: 'too-old', why: '426' };
      case 'busy':
        return { event: 'fault', retryAfterMs: failure.retryAfterMs, why: 'busy' };
      case 'too-large':
        return sendFewer(sent, '413');
      case 'server':
        return failure.status === 400
          ? sendFewer(sent, failure.why)
          : { event: 'fault', why: `${failure.status} ${failure.why}` };
      case 'network':
        return { event: 'fault', why: failure.why };
      case 'profile-missing':
        return { event: 'fault', why: failure.kind };
    }
  }

  function sendFewer(sent: number, why: string): Verdict {
    if (sent <= 1) return { event: 'fault', why };
    limit = Math.floor(sent / 2);
    return { event: 'more' }; // L5
  }

  async function classifyUnauthorized(): Promise<Verdict> {
    const refreshed = hasRefreshed ? 'signed-out' : await ports.session.refresh();
    hasRefreshed = refreshed === 'refreshed';
    if (refreshed === 'refreshed') return { event: 'more' }; // L4
    return refreshed === 'network'
      ? { event: 'fault', why: 'session not renewed' }
      : { event: 'unauthorized', why: '401' };
  }

  function tell({ decided, faults, collectionFault }: Exchanged & { kind: 'taken' }): void {
    for (const uid of faults) log.add('replay-fault', uid);
    if (collectionFault !== undefined) log.add('shelf-fault', nameOf(collectionFault));
    if (decided.length === 0) return;
    for (const { entry, outcome } of decided) {
      if (outcome.status === 'applied') continue;
      log.add(outcome.status, `${entry.uid} ${outcome.code ?? ''}`);
      ports.onEvent?.({ kind: 'refused', uid: entry.uid, code: outcome.code ?? outcome.status });
    }
    ports.uploads?.onDecided(decided);
    ports.onEvent?.({ kind: 'decided', decided });
  }

  function tick(): void {
    cancelTick = clock.setTimer(tickMs, tick);
    ticks += 1;
    ticksUntried += 1;
    hooks.onTick();
    if (!ports.isVisible()) return;
    if (ticks % ticksToAsk === 0) dispatch({ event: 'timer' });
    if (ticksUntried >= ticksToRestart) void restart();
  }

  /** Writes wait, the page is visible, and nothing was tried for 90 s: whatever the loop hangs on, begin anew (C8). */
  async function restart(): Promise<void> {
    if (state === 'needs-sign-in' || state === 'needs-update') return;
    const mine = turn;
    // The storage itself may be what hangs.
    const waiting = await within(
      clock,
      countMs,
      ports.db.outbox.count().catch(() => 1),
      1,
    );
    if (waiting === 0 || mine !== turn) return;
    log.add('watchdog', state);
    giveUp();
    dispatch({ event: 'hint' });
  }

  function giveUp(): void {
    turn += 1;
    underWay.abort();
    cancelDue();
    state = 'idle';
    goAgain = false;
    ticksUntried = 0;
  }

  return {
    lead: (asLeader) => {
      [epoch, paging, resets, failures, ticks] = [asLeader, undefined, 0, 0, 0];
      cancelTick = clock.setTimer(tickMs, tick);
      dispatch({ event: 'hint' });
    },
    halt: () => {
      dispatch({ event: 'deposed' });
      giveUp();
      epoch = undefined;
      cancelTick();
    },
    wake: (reason) => {
      const event = eventOfWake[reason];
      // After a Retry-After, a tab that becomes visible does not ask sooner.
      dispatch({ event: event === 'hint' && state === 'waiting' && isHeldByServer ? 'wake' : event });
    },
  };
}

function reachOf(failure: TransportFailure): Reach {
  if (failure.kind === 'network') return failure.heard ? 'unreachable' : 'offline';
  return failure.kind === 'server' || failure.kind === 'busy' ? 'unreachable' : 'online';
}

/** An error's kind without its text, which could name a person's row. */
function nameOf(error: unknown): string {
  return error instanceof Error || error instanceof DOMException ? error.name : typeof error;
}
