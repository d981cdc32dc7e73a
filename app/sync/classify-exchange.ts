import { maxMutations } from '../../shared/protocol/exchange.ts';
import { errorName } from '../db/storage-errors.ts';
import type { Exchanged } from './exchange.ts';
import type { Log } from './log.ts';
import type { SyncPorts, TransportFailure } from './ports.ts';
import type { Report } from './state.ts';
import { slowAfterMs, type Reach, type SyncStatus } from './status.ts';

/** Uids named in one line of the device's log. */
const tracedUids = 20;

/** What one exchange leaves to the next. */
export interface Progress {
  /** Failures in a row; the back-off grows with them. */
  failures: number;
  /** Mutations whose outcomes come with the last page; undefined between pages. */
  paging: readonly string[] | undefined;
  /** Mutations to send at most. */
  limit: number;
  resets: number;
  hasRefreshed: boolean;
  /** Rounds in a row in which the collections had more to ask. */
  rounds: number;
  /** The last request was answered, though the browser had reported no network as it left: its report is wrong. */
  heardOffline: boolean;
  /** The timelines that the next request names, where the last answer has left them as they were. */
  timelines: readonly string[] | undefined;
  /** Uid of what was marked as sent when it was made, until the next exchange begins. */
  marked: string | undefined;
}

export const createProgress = (): Progress => ({
  failures: 0,
  paging: undefined,
  limit: maxMutations,
  resets: 0,
  hasRefreshed: false,
  rounds: 0,
  heardOffline: false,
  timelines: undefined,
  marked: undefined,
});

/** What an exchange means for the loop. */
export interface Verdict {
  event: Report;
  retryAfterMs?: number | undefined;
  why?: string;
}

export interface ClassifyHooks {
  log: Log;
  setStatus(changes: Partial<SyncStatus>): void;
  onDeposed(): void;
}

/**
 * Reads exchanges: notes in `progress` what the next one must know, and tells the others what was heard. L1 to L8: see
 * `engine.ts`.
 */
export function createClassify(
  ports: SyncPorts,
  { log, setStatus, onDeposed }: ClassifyHooks,
  progress: Progress,
): (exchanged: Exchanged, tookMs: number) => Promise<Verdict> {
  async function classify(exchanged: Exchanged, tookMs: number): Promise<Verdict> {
    const isHeard = exchanged.kind === 'taken' || exchanged.kind === 'reset';
    progress.heardOffline = isHeard && exchanged.heardOffline;
    if (isHeard) setStatus({ reach: tookMs > slowAfterMs ? 'slow' : 'online', isProfileMissing: false });
    switch (exchanged.kind) {
      case 'taken':
        trace('sent', exchanged);
        return classifyAnswer(exchanged);
      case 'reset':
        progress.paging = undefined;
        progress.resets += 1;
        log.add('reset', exchanged.reason);
        return progress.resets > 2 ? { event: 'failed', why: 'reset again and again' } : { event: 'more' }; // L3
      case 'known':
        return { event: 'settled' };
      case 'elsewhere':
        return { event: 'more' }; // L9
      case 'discarded':
        log.add('answer-discarded', exchanged.why);
        if (exchanged.why === 'other-question') return { event: 'failed', why: exchanged.why };
        onDeposed();
        return { event: 'deposed' };
      case 'failed':
        trace('unanswered', exchanged);
        setStatus({
          reach: reachOf(exchanged.failure),
          isProfileMissing: exchanged.failure.kind === 'profile-missing',
        });
        return classifyFailure(exchanged.failure, exchanged.sentUids.length);
    }
  }

  /**
   * Logs which mutations were sent with which request: with the server's line of the same id, a mutation can be
   * followed from the phone to its row.
   */
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
    progress.hasRefreshed = false;
    progress.paging = taken.more ? (progress.paging ?? taken.awaitedUids) : undefined;
    tell(taken);
    if (taken.more) return taken.hasMoved ? { event: 'more' } : { event: 'failed', why: 'the same page again' }; // L1
    progress.resets = 0;
    setStatus({ lastSynced: taken.at });
    ports.uploads?.afterExchange();
    if (taken.stoppedMs !== undefined) return { event: 'failed', retryAfterMs: taken.stoppedMs, why: 'stopped' };
    if (taken.decided.length > 0) progress.limit = Math.min(maxMutations, progress.limit * 2);
    if (taken.waiting > 0 && taken.sentUids.length > 0 && taken.decided.length === 0)
      return { event: 'failed', why: 'nothing was decided' };
    progress.failures = 0;
    progress.rounds = taken.hasMoreToAsk ? progress.rounds + 1 : 0;
    const isForCollections = taken.hasMoreToAsk && progress.rounds <= 2; // L8
    return { event: taken.waiting > 0 || isForCollections ? 'more' : 'settled' }; // L2
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
        return { event: 'failed', retryAfterMs: failure.retryAfterMs, why: failure.kind };
      case 'too-large':
        return sendFewer(sent, '413');
      case 'server':
        return failure.status === 400
          ? sendFewer(sent, failure.why)
          : { event: 'failed', why: `${failure.status} ${failure.why}` };
      case 'network':
        return { event: 'failed', why: failure.why };
      case 'profile-missing':
        return { event: 'failed', why: failure.kind };
    }
  }

  function sendFewer(sent: number, why: string): Verdict {
    if (sent <= 1) return { event: 'failed', why };
    progress.limit = Math.floor(sent / 2);
    return { event: 'more' }; // L5
  }

  async function classifyUnauthorized(): Promise<Verdict> {
    const refreshed = progress.hasRefreshed ? 'signed-out' : await ports.session.refresh();
    progress.hasRefreshed = refreshed === 'refreshed';
    if (refreshed === 'refreshed') return { event: 'more' }; // L4
    return refreshed === 'network'
      ? { event: 'failed', why: 'session not renewed' }
      : { event: 'unauthorized', why: '401' };
  }

  function tell({ decided, failedUids, collectionError }: Exchanged & { kind: 'taken' }): void {
    for (const uid of failedUids) log.add('replay-fault', uid);
    if (collectionError !== undefined) log.add('shelf-fault', errorName(collectionError));
    if (decided.length === 0) return;
    for (const { entry, outcome } of decided) {
      if (outcome.status === 'applied') continue;
      log.add(outcome.status, `${entry.uid} ${outcome.code ?? ''}`);
      ports.onEvent?.({ kind: 'rejected', uid: entry.uid, code: outcome.code ?? outcome.status });
    }
    ports.uploads?.onDecided(decided);
    ports.onEvent?.({ kind: 'decided', decided });
  }

  return classify;
}

function reachOf(failure: TransportFailure): Reach {
  if (failure.kind === 'network') return failure.heard ? 'unreachable' : 'offline';
  return failure.kind === 'server' || failure.kind === 'busy' ? 'unreachable' : 'online';
}
