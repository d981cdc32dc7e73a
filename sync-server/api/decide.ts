import { createHash } from 'node:crypto';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import { Refusal, type RefusalCode } from '../../shared/mutations/refusal.ts';
import { unavailable } from '../http/http-problem.ts';
import { readOutcomes } from '../sync/claims.ts';
import type { SyncParts } from '../sync/sync-parts.ts';
import { take } from '../sync/take.ts';

export interface Step<Name extends MutationName = MutationName> {
  /** Decided once: a repeat under the same uid answers as the first did. */
  uid: string;
  name: Name;
  args: ArgsOf<Name> | Record<string, unknown>;
}

/**
 * Has mutations decided as the exchange would, in order and in one transaction.
 *
 * @throws Refusal the first there was; 503 where the database could not decide now.
 */
export type Decide = (userId: string, steps: readonly Step[]) => Promise<void>;

/** The REST door to the one law (SPEC S1, S2). */
export function createDecide(parts: SyncParts): Decide {
  return async (userId, steps) => {
    const at = parts.clock().toISOString();
    const { stopped, reused } = await take(parts, userId, steps.map((step) => ({ ...step, at })));
    if (stopped !== undefined) throw unavailable(undefined, Math.ceil(stopped.retryAfterMs / 1_000));
    const kept = await readOutcomes(parts.database.sql, userId, steps.map(({ uid }) => uid));
    const byUid = new Map([...kept, ...reused].map((outcome) => [outcome.uid, outcome]));
    for (const { uid } of steps) {
      const outcome = byUid.get(uid.toLowerCase());
      if (outcome?.status === 'parked') throw unavailable('We couldn’t process this yet. We’re looking into it.', 3_600);
      if (outcome?.status !== 'refused') continue;
      throw new Refusal((outcome.code ?? 'invalid') as RefusalCode, outcome.message ?? 'This was not accepted.', outcome.fields);
    }
  };
}

/** The uid of a further step of the same request: the same every time, so that a repeated request repeats each step. */
export function stepUid(first: string, what: string): string {
  const digest = createHash('sha256').update(`${first.toLowerCase()}|${what}`).digest();
  digest[6] = 0x80 | (digest[6]! & 0x0f);
  digest[8] = 0x80 | (digest[8]! & 0x3f);
  const hex = digest.toString('hex').slice(0, 32);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
