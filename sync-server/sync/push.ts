import { minute } from '../../shared/lib/durations.ts';
import type { Delta, Outcome, SentMutation } from '../../shared/protocol/exchange.ts';
import { DatabaseRestored } from '../db/notice-restore.ts';
import { countAttempt, writeDeadLetter } from './attempts.ts';
import { rejectedReuse } from './claims.ts';
import { describeError, errorKindOf } from './error-kind.ts';
import { ProfileMissing } from './read-actor.ts';
import type { EngineParts } from './sync-parts.ts';
import { BatchFailed, pushBatch, TimelineNotMet, type Sender } from './push-batch.ts';
import { noneWaiting, type Restoring } from './restoring.ts';

export interface PushResult {
  /** The place where the batch stopped; what comes before was decided. */
  stopped: Delta['stopped'];
  /** Answers to uids that were used for something else before; what is stored for them is the first use's outcome. */
  reused: Outcome[];
  /** Those that wait for what a restore has lost. */
  restoring: Restoring[];
}

const retryMs = { transient: 2_000, unknownFirst: 5_000, unknownMax: 5 * minute } as const;

/**
 * Decides the mutations of one request, in order, each exactly once (S1, S2). Their outcomes are read from
 * `sync_mutation`. A error rolls its batch back: the mutations before the failing one are decided, then the failing one
 * alone; where that fails again the request stops there. Nothing is ever dropped. Where the device has not met the
 * timeline of the database, nothing is decided: the answer tells it (S13).
 *
 * @throws ProfileMissing; DatabaseRestored
 */
export async function push(
  parts: EngineParts,
  sender: Sender,
  mutations: readonly SentMutation[],
): Promise<PushResult> {
  const { userId } = sender;
  const waiting = noneWaiting();
  const { restoring } = waiting;
  const rest = eachOnce(mutations);
  const reused: Outcome[] = [];
  let size = rest.length;
  let suspect: string | undefined;
  let hasFailed = false;
  while (rest.length > 0) {
    const batch = rest.slice(0, rest[0]!.uid === suspect ? 1 : size);
    try {
      const { reused: clashes, waiting: more } = await pushBatch(parts, sender, batch, waiting.about);
      restoring.push(...more.restoring);
      for (const id of more.about) waiting.about.add(id);
      reused.push(...clashes.map((mutation) => rejectReuse(parts, userId, mutation)));
      rest.splice(0, batch.length);
      size = rest.length;
      hasFailed = false;
      continue;
    } catch (error) {
      if (error instanceof TimelineNotMet) return { stopped: undefined, reused, restoring };
      if (error instanceof ProfileMissing || error instanceof DatabaseRestored) throw error;
      const isTransient = errorKindOf(error) === 'transient';
      const culprit = error instanceof BatchFailed ? error.uid : batch.length === 1 ? batch[0]!.uid : undefined;
      report(parts, userId, culprit ?? batch[0]!.uid, error);
      if (culprit === undefined) {
        // The batch failed as a whole. The database may have been away, so it is tried once more; or one mutation is at
        // error, and halving the batch finds it.
        if (isTransient && hasFailed)
          return { stopped: { uid: batch[0]!.uid, retryAfterMs: retryMs.transient }, reused, restoring };
        hasFailed = isTransient;
        if (!isTransient) size = Math.ceil(batch.length / 2);
        continue;
      }
      if (culprit !== suspect) {
        suspect = culprit;
        size = batch.findIndex(({ uid }) => uid === culprit);
        continue;
      }
      if (isTransient) return { stopped: { uid: culprit, retryAfterMs: retryMs.transient }, reused, restoring };
      const retryAfterMs = await countOrDeadLetter(parts, userId, batch[0]!, error);
      if (retryAfterMs !== undefined) return { stopped: { uid: culprit, retryAfterMs }, reused, restoring };
      rest.shift();
      size = rest.length;
    }
  }
  return { stopped: undefined, reused, restoring };
}

/** The first of each uid: a request that names one twice means it once. */
function eachOnce(mutations: readonly SentMutation[]): SentMutation[] {
  return [
    ...new Map(mutations.toReversed().map((mutation) => [mutation.uid.toLowerCase(), mutation])).values(),
  ].toReversed();
}

/** Milliseconds until the next attempt is worth it; undefined where the mutation became a dead letter. */
async function countOrDeadLetter(
  parts: EngineParts,
  userId: string,
  mutation: SentMutation,
  error: unknown,
): Promise<number | undefined> {
  try {
    const { attempts, isEnough } = await countAttempt(parts, userId, mutation.uid, error);
    if (!isEnough) return Math.min(retryMs.unknownFirst * 2 ** (attempts - 1), retryMs.unknownMax);
    await writeDeadLetter(parts, userId, mutation, error);
    parts.log.error({ userId, uid: mutation.uid, mutation: mutation.name }, 'a mutation was parked');
    return undefined;
  } catch (second) {
    if (errorKindOf(second) !== 'transient') throw second;
    return retryMs.transient;
  }
}

function report({ log }: EngineParts, userId: string, uid: string, error: unknown): void {
  const details = { userId, uid, error: describeError(error) };
  if (errorKindOf(error) === 'transient') log.warn(details, 'mutations are to be tried again');
  else log.error(details, 'a mutation failed for an unknown reason');
}

function rejectReuse({ log }: EngineParts, userId: string, { uid, name }: SentMutation): Outcome {
  log.error({ userId, uid, mutation: name }, 'a uid came back with other args');
  return rejectedReuse(uid);
}
