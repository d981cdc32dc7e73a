import { minute } from '../../shared/lib/durations.ts';
import type { SentMutation } from '../../shared/protocol/exchange.ts';
import type { Verdict } from '../store/sync-store.ts';
import { argsHash } from './args-hash.ts';
import { describeError } from './error-kind.ts';
import type { EngineParts } from './sync-parts.ts';

type AttemptParts = Pick<EngineParts, 'store' | 'clock'>;

/**
 * A mutation that fails for an unknown reason becomes a dead letter after so many attempts, over so long at least (S2).
 */
export const deadLetterAfter = { attempts: 8, ms: 30 * minute } as const;

const deadLetterVerdict: Verdict = {
  status: 'parked',
  code: 'parked',
  message: 'Something is wrong on our side with this change. We have kept it and will look at it.',
};

/** Counts a failed attempt, in a transaction of its own: the one that failed was rolled back. */
export async function countAttempt(
  { store, clock }: AttemptParts,
  userId: string,
  uid: string,
  error: unknown,
): Promise<{ attempts: number; isEnough: boolean }> {
  const now = clock();
  const { attempts, firstAt } = await store.single.countAttempt(userId, uid, now, describeError(error));
  return {
    attempts,
    isEnough: attempts >= deadLetterAfter.attempts && now.getTime() - firstAt.getTime() >= deadLetterAfter.ms,
  };
}

/**
 * Stores a mutation as a dead letter, with its args, for an operator; its person is told. A decision made meanwhile has
 * precedence.
 */
export function writeDeadLetter(
  { store, clock }: AttemptParts,
  userId: string,
  { uid, name, args }: SentMutation,
  error: unknown,
): Promise<void> {
  const failed = {
    uid,
    name,
    args,
    argsHash: argsHash(name, args),
    verdict: deadLetterVerdict,
    error: describeError(error),
  };
  return store.write((tx) => tx.writeDeadLetter(userId, clock(), failed));
}
