import type { Delta } from '../../shared/protocol/exchange.ts';
import type { CarriedChange } from '../../shared/protocol/poke.ts';
import { withConnection } from '../db/connection.ts';
import type { Fence } from './fence.ts';
import { packRequest } from './pack-request.ts';
import type { CollectionsQuestion, Decided, SyncPorts, TransportFailure, TransportResult } from './ports.ts';
import { forgetCookie, applyAnswer } from './apply-answer.ts';

export interface ExchangeOptions {
  epoch: number;
  limit: number;
  paging: readonly string[] | undefined;
  isProbe: boolean;
  signal: AbortSignal;
}

export type Exchanged =
  | {
      kind: 'taken';
      decided: Decided[];
      /** Uids of the mutations that were sent. */
      sentUids: string[];
      requestId?: string | undefined;
      /** Mutations that wait now. */
      waiting: number;
      more: boolean;
      /** The server stopped the batch at a transient fault. */
      stoppedMs: number | undefined;
      /** The cookie differs from the one before. */
      hasMoved: boolean;
      faults: string[];
      collectionFault: unknown;
      /** The collections have more to ask after this answer. */
      hasMoreToAsk: boolean;
    }
  | { kind: 'reset'; reason: string }
  | { kind: 'failed'; failure: TransportFailure; sentUids: string[]; requestId?: string | undefined }
  | { kind: 'discarded'; why: 'deposed' | 'other-question' }
  /** A carried change: the device has it already, or stands elsewhere than where it starts. */
  | { kind: 'known' | 'elsewhere' };

/** A request that has not been answered by then counts as lost (C8). */
export const timeoutMs = 30_000;

type ExchangePorts = Pick<SyncPorts, 'db' | 'userId' | 'clock' | 'transport' | 'collections'>;

/** One round trip: question from the outbox's head, answer applied. Throws only what the storage throws. */
export async function exchange(ports: ExchangePorts, options: ExchangeOptions): Promise<Exchanged> {
  const { db, userId } = ports;
  const collections = await ports.collections.asked();
  const packed = await withConnection(db, () => packRequest(db, { ...options, userId, collections }));
  if (packed === undefined) return { kind: 'discarded', why: 'deposed' };
  const { request, fence } = packed;
  const sentUids = request.mutations.map(({ uid }) => uid);

  const result = await send(ports, request, options.signal);
  if (!result.ok) return { kind: 'failed', failure: result.failure, sentUids, requestId: result.requestId };
  const { answer } = result;
  if (answer.kind === 'reset') {
    // First the collections: a crash in between then only asks twice. A change of rights alone makes no version worthless.
    if (answer.reason !== 'view') await ports.collections.forgetVersions(collections);
    const forgotten = await withConnection(db, () => forgetCookie(db, fence));
    return forgotten === 'taken' ? { kind: 'reset', reason: answer.reason } : { kind: 'discarded', why: forgotten };
  }
  return takeAnswer(ports, { answer, fence, collections, sentUids, requestId: result.requestId });
}

/**
 * Applies a change that an event has carried (P10), as the answer to the question that it names, where this device stands there: with the
 * same fences, in the same transactions.
 */
export async function takeChange(
  ports: ExchangePorts,
  epoch: number,
  { userId, asked, answer }: CarriedChange,
): Promise<Exchanged> {
  const { db } = ports;
  if (userId !== ports.userId || answer.more || answer.outcomes.length > 0) return { kind: 'elsewhere' };
  const cookie = (await withConnection(db, () => db.meta.get('cookie')))?.value;
  if (cookie === answer.cookie) return { kind: 'known' };
  const collections =
    cookie === asked.cookie ? await ports.collections.standingAt?.(asked.shelves, asked.timelines) : undefined;
  if (collections === undefined) return { kind: 'elsewhere' };
  const fence = { epoch, cookie: asked.cookie };
  const taken = await takeAnswer(ports, { answer, fence, collections, sentUids: [], requestId: undefined });
  return taken.kind === 'discarded' && taken.why === 'other-question' ? { kind: 'elsewhere' } : taken;
}

interface Answered {
  answer: Delta;
  fence: Fence;
  collections: CollectionsQuestion;
  sentUids: string[];
  requestId: string | undefined;
}

/** Writes an answer: the private tables first, then each collection. */
async function takeAnswer(
  ports: ExchangePorts,
  { answer, fence, collections, sentUids, requestId }: Answered,
): Promise<Exchanged> {
  const { db } = ports;
  const taken = await withConnection(db, () => applyAnswer(ports, fence, answer));
  if (taken.kind === 'discarded') return taken;
  const collectionFault = await collectionFaultOf(() =>
    ports.collections.apply(answer.shelves, collections, { epoch: fence.epoch, cookie: answer.cookie }),
  );
  return {
    ...taken,
    sentUids,
    requestId,
    waiting: await withConnection(db, () => db.outbox.count()),
    more: answer.more,
    stoppedMs: answer.stopped?.retryAfterMs,
    hasMoved: answer.cookie !== fence.cookie,
    collectionFault,
    hasMoreToAsk: collectionFault === undefined && !answer.more && (await ports.collections.hasMoreToAsk(collections)),
  };
}

/** A collection that cannot be written holds nothing else up: it asks from its old version again. */
async function collectionFaultOf(apply: () => Promise<void>): Promise<unknown> {
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
