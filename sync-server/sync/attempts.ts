import { sql as rawSql } from 'kysely';
import { minute } from '../../shared/lib/durations.ts';
import type { SentMutation } from '../../shared/protocol/exchange.ts';
import { argsHash } from './args-hash.ts';
import type { Verdict } from './claims.ts';
import { describeFault } from './faults.ts';
import type { SyncParts } from './sync-parts.ts';

/** A mutation that fails for an unknown reason becomes a dead letter after so many attempts, over so long at least (S2). */
export const deadLetterAfter = { attempts: 8, ms: 30 * minute } as const;

const deadLetterVerdict: Verdict = {
  status: 'parked',
  code: 'parked',
  message: 'Something is wrong on our side with this change. We have kept it and will look at it.',
};

/** Counts a failed attempt, in a transaction of its own: the one that failed was rolled back. */
export async function countAttempt(
  { database, clock }: SyncParts,
  userId: string,
  uid: string,
  error: unknown,
): Promise<{ attempts: number; isEnough: boolean }> {
  const now = clock();
  const { rows } = await rawSql<{ attempts: number; first_at: Date }>`
    insert into sync_attempt as known (user_id, uid, attempts, first_at, last_at, last_error)
    values (${userId}, ${uid}, 1, ${now}, ${now}, ${describeFault(error)})
    on conflict (user_id, uid) do update set attempts = known.attempts + 1, last_at = excluded.last_at, last_error = excluded.last_error
    returning attempts, first_at`.execute(database.sql);
  const { attempts, first_at: since } = rows[0]!;
  return {
    attempts,
    isEnough: attempts >= deadLetterAfter.attempts && now.getTime() - since.getTime() >= deadLetterAfter.ms,
  };
}

/** Stores a mutation as a dead letter, with its args, for an operator; its person is told. A decision made meanwhile has precedence. */
export async function writeDeadLetter(
  { database, clock }: SyncParts,
  userId: string,
  { uid, name, args }: SentMutation,
  error: unknown,
): Promise<void> {
  const now = clock();
  await database.transaction(async (sql) => {
    const { rows } = await rawSql`insert into sync_mutation (user_id, uid, name, args_hash, status, outcome, at)
      values (${userId}, ${uid}, ${name}, ${argsHash(name, args)}, 'parked', ${JSON.stringify(deadLetterVerdict)}::jsonb, ${now})
      on conflict do nothing returning uid`.execute(sql);
    if (rows.length === 0) return;
    // As text inside the JSON: jsonb itself cannot hold every string, and what it cannot hold may be why the mutation failed.
    await rawSql`insert into sync_parked (user_id, uid, name, args, error, parked_at)
      values (${userId}, ${uid}, ${name}, to_jsonb(${JSON.stringify(args) ?? 'null'}::text), ${describeFault(error)}, ${now})`.execute(
      sql,
    );
    await rawSql`delete from sync_attempt where user_id = ${userId} and uid = ${uid}`.execute(sql);
  });
}
