import type { Delta, JournalAnswer } from '../../shared/protocol/exchange.ts';
import type { CarriedChange } from '../../shared/protocol/poke.ts';
import { withConnection } from '../db/connection.ts';
import { heardAt } from './corrected-now.ts';
import type { Fence } from './fence.ts';
import { packInMemory } from './pack-in-memory.ts';
import { markSent, packRequest, unsend } from './pack-request.ts';
import type { CollectionsQuestion, Decided, SyncPorts, TransportFailure, TransportResult } from './ports.ts';
import { forgetCookie, applyAnswer } from './apply-answer.ts';
import { mayShowEarly, showAnswer } from './show-answer.ts';
import type { ShownEarly } from '../db/private-rows.ts';

export interface ExchangeOptions {
  epoch: number;
  limit: number;
  paging: readonly string[] | undefined;
  heardOffline: boolean;
  signal: AbortSignal;
  /** Uid of what was marked as sent when it was made, for this exchange. */
  marked?: string | undefined;
  /** Those that a request names, where the answer before has left them as they were. */
  timelines?: readonly string[] | undefined;
}

export type Exchanged =
  | {
      kind: 'taken';
      /** ISO instant, as people are shown it. */
      at: string;
      decided: Decided[];
      /** Uids of the mutations that were sent. */
      sentUids: string[];
      /** Those of them that are decided, or may be: their outcomes come with the last page. */
      awaitedUids: string[];
      requestId?: string | undefined;
      /** Mutations that wait now. */
      waiting: number;
      more: boolean;
      /** The server stopped the batch at a transient error. */
      stoppedMs: number | undefined;
      /** The cookie differs from the one before. */
      hasMoved: boolean;
      failedUids: string[];
      collectionError: unknown;
      /** The collections have more to ask after this answer. */
      hasMoreToAsk: boolean;
      heardOffline: boolean;
    }
  | { kind: 'reset'; reason: string; heardOffline: boolean }
  | { kind: 'failed'; failure: TransportFailure; sentUids: string[]; requestId?: string | undefined }
  | { kind: 'discarded'; why: 'deposed' | 'other-question' }
  /** A carried change: the device has it already, or stands elsewhere than where it starts. */
  | { kind: 'known' | 'elsewhere' };

/** `timelines`: what the next request names, where that is known. */
export type Asked = Exchanged & { timelines?: readonly string[] | undefined };

/** A request that has not been answered by then is under way for people to see, also where it carries many. */
const markAfterMs = 500;
/** A request that has not been answered by then counts as lost (C8). */
export const timeoutMs = 30_000;

type ExchangePorts = Pick<
  SyncPorts,
  'db' | 'userId' | 'clock' | 'transport' | 'session' | 'collections' | 'seemsOnline'
>;

/** One round trip: question from the outbox's head, answer applied. Throws only what the storage throws. */
export async function exchange(ports: ExchangePorts, options: ExchangeOptions): Promise<Asked> {
  const { db, userId } = ports;
  const [collections, isReady] = await Promise.all([ports.collections.asked(), ports.session.isReady()]);
  const { marked, timelines } = options;
  // No byte can leave: what was marked is not sent after all (C7).
  if (marked !== undefined && !(isReady && ports.seemsOnline())) await unmark(ports, options.epoch, marked);
  // This is asked before anything is marked as sent: no byte can leave (C7).
  if (!isReady) return { kind: 'failed', failure: { kind: 'unauthorized' }, sentUids: [] };
  const asking = { ...options, userId, collections, seemsOnline: ports.seemsOnline };
  const isKnown = marked !== undefined && timelines !== undefined && ports.seemsOnline();
  const packed =
    (isKnown ? packInMemory(db, asking, timelines) : undefined) ??
    (await withConnection(db, () => packRequest(db, asking)));
  if (packed === undefined) return { kind: 'discarded', why: 'deposed' };
  const { request, fence } = packed;
  const heardOffline = !packed.seemedOnline;
  const sentUids = request.mutations.map(({ uid }) => uid);

  // Where it fails while the answer is awaited, what is left is marked after it, or as the next request is packed.
  const mark = async () => void (packed.isMarkedAsOne && (await withConnection(db, () => markSent(db))));
  const cancelMark = ports.clock.setTimer(markAfterMs, () => void mark().catch(() => undefined));
  const result = await send(ports, request, options.signal);
  cancelMark();
  if (!result.ok || result.answer.kind === 'reset') await mark();
  if (!result.ok) {
    const { failure, requestId } = result;
    const isUnread = failure.kind === 'unauthorized' || failure.kind === 'other-person';
    if (isUnread) await withConnection(db, () => unsend(db, packed));
    return { kind: 'failed', failure, sentUids, requestId };
  }
  const { answer } = result;
  if (answer.kind === 'reset') {
    // The collections come first: a crash in between then only asks twice. A change of rights alone makes no version
    // worthless.
    if (answer.reason !== 'view') await ports.collections.forgetVersions(collections);
    const forgotten = await withConnection(db, () => forgetCookie(ports, fence, answer.journal));
    return forgotten === 'taken'
      ? { kind: 'reset', reason: answer.reason, heardOffline }
      : { kind: 'discarded', why: forgotten };
  }
  const taken = await takeAnswer(ports, {
    answer,
    fence,
    collections,
    sentUids,
    heardOffline,
    requestId: result.requestId,
  });
  return { ...taken, timelines: keptTimelines(request.journal, answer.journal) };
}

/** What the next request names, where this answer changes nothing of it. */
function keptTimelines(
  asked: readonly string[] = [],
  answer: JournalAnswer | undefined,
): readonly string[] | undefined {
  return asked.length === 1 && (answer === undefined || answer.timeline === asked[0]) ? asked : undefined;
}

/** It counts as never sent again. */
async function unmark({ db }: ExchangePorts, epoch: number, uid: string): Promise<void> {
  await withConnection(db, async () => {
    const entry = await db.outbox.get({ uid });
    if (entry?.state === 'sent' && entry.attempts === 1)
      await unsend(db, { fence: { epoch, cookie: null }, firstSent: [entry] });
  });
}

/**
 * Applies a change that an event has carried (P10), as the answer to the question that it names, where this device
 * stands there: with the same fences, in the same transactions.
 */
export async function takeChange(
  ports: ExchangePorts,
  epoch: number,
  { userId, asked, answer }: CarriedChange,
): Promise<Exchanged> {
  const { db } = ports;
  if (userId !== ports.userId || answer.more || answer.outcomes.length > 0) return { kind: 'elsewhere' };
  const fence = { epoch, cookie: asked.cookie };
  const { shelves: versions, timelines = {}, regions } = asked;
  // The change is shown before the disk is asked: where memory stands at this question, so does, as a rule, the disk.
  const settle = showEarly(ports, fence, answer, { versions, timelines, marks: {} });
  const early = showAnswer(db, fence, answer, heardAt(answer, ports.clock));
  let isTaken = false;
  try {
    const cookie = (await withConnection(db, () => db.meta.get('cookie')))?.value;
    if (cookie === answer.cookie) return { kind: 'known' };
    const collections =
      cookie === asked.cookie ? await ports.collections.standingAt?.(versions, timelines, regions) : undefined;
    if (collections === undefined) return { kind: 'elsewhere' };
    isTaken = true;
    const taken = await takeAnswer(
      ports,
      { answer, fence, collections, sentUids: [], heardOffline: false, requestId: undefined },
      settle,
      early,
    );
    return taken.kind === 'discarded' && taken.why === 'other-question' ? { kind: 'elsewhere' } : taken;
  } finally {
    if (!isTaken) {
      settle?.();
      early?.end();
    }
  }
}

/**
 * Shows what collections bring before it is written, as far as memory tells that it may be. The function it gives: when
 * it was, or was not.
 */
function showEarly(
  { db, collections }: ExchangePorts,
  fence: Fence,
  answer: Delta,
  asked: CollectionsQuestion,
): (() => void) | undefined {
  return mayShowEarly(db, fence, answer) ? collections.showEarly?.(answer.shelves, asked) : undefined;
}

interface Answered {
  answer: Delta;
  fence: Fence;
  collections: CollectionsQuestion;
  sentUids: string[];
  heardOffline: boolean;
  requestId: string | undefined;
}

/** Writes an answer: the private tables first, then each collection. */
async function takeAnswer(
  ports: ExchangePorts,
  { answer, fence, collections, sentUids, heardOffline, requestId }: Answered,
  settle = showEarly(ports, fence, answer, collections),
  early?: ShownEarly,
): Promise<Exchanged> {
  const { db } = ports;
  const at = heardAt(answer, ports.clock);
  let collectionError: unknown;
  let taken: Awaited<ReturnType<typeof applyAnswer>>;
  try {
    taken = await withConnection(db, () => applyAnswer(ports, fence, answer, at, early));
    if (taken.kind === 'discarded') return taken;
    collectionError = await collectionErrorOf(() =>
      ports.collections.apply(answer.shelves, collections, { epoch: fence.epoch, cookie: answer.cookie }, at),
    );
  } finally {
    settle?.();
  }
  return {
    ...taken,
    at,
    sentUids,
    awaitedUids: sentUids.filter((uid) => answer.undecided?.includes(uid) !== true),
    heardOffline,
    requestId,
    // What waits for another device's part of a restore is asked for again with the next exchange, whatever calls for
    // that.
    waiting: (await withConnection(db, () => db.outbox.count())) - (answer.restoring?.length ?? 0),
    more: answer.more,
    stoppedMs: answer.stopped?.retryAfterMs,
    hasMoved: answer.cookie !== fence.cookie,
    collectionError,
    hasMoreToAsk: collectionError === undefined && !answer.more && (await ports.collections.hasMoreToAsk(collections)),
  };
}

/** A collection that cannot be written holds nothing else up: it asks from its old version again. */
async function collectionErrorOf(apply: () => Promise<void>): Promise<unknown> {
  try {
    await apply();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Answered, timed out or given up on, whichever is first: a transport that hangs must not hang the loop. */
function send(
  { transport, clock }: ExchangePorts,
  request: Parameters<SyncPorts['transport']>[0],
  signal: AbortSignal,
): Promise<TransportResult> {
  const giveUp = new AbortController();
  const lost = (why: string): TransportResult => ({ ok: false, failure: { kind: 'network', heard: false, why } });
  return new Promise((resolve) => {
    const end = (result: TransportResult) => {
      cancel();
      signal.removeEventListener('abort', stop);
      resolve(result);
    };
    const stop = () => {
      giveUp.abort();
      end(lost('given up'));
    };
    const cancel = clock.setTimer(timeoutMs, () => {
      giveUp.abort();
      end(lost('timeout'));
    });
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else transport(request, giveUp.signal).then(end, (error: unknown) => end(lost(`transport threw ${String(error)}`)));
  });
}
