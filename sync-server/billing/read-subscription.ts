import type { Selectable } from 'kysely';
import type { User } from '../../shared/tables/index.ts';
import type { Database } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import { forbidden } from '../http/http-problem.ts';
import type { BillingParts } from './billing-parts.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/** Milliseconds for which the provider's last answer about a person is not asked for again. */
const freshFor = 10_000;

type Known = Pick<Selectable<Schema['billing_subscription']>, 'id' | 'trial_end' | 'current_period_end' | 'read_at'>;

/**
 * Until when a tradie's newest subscription runs, asked of the provider now; a difference is corrected here at once.
 * Where it cannot be reached, what it said last.
 *
 * @throws HttpProblem 403 `not-a-tradie`.
 */
export async function readSubscription(
  parts: BillingParts,
  person: User,
): Promise<{ trialEnd: string | null; currentPeriodEnd: string | null }> {
  if (person.tradieId === null) throw forbidden('Only tradies have a subscription.', 'not-a-tradie');
  const known = await newestOf(parts.database, person.id);
  if (known === undefined) return { trialEnd: null, currentPeriodEnd: null };
  if (parts.clock().getTime() - known.read_at.getTime() < freshFor) return answer(known);
  try {
    await refreshSubscription(parts, known.id);
  } catch (error) {
    parts.log.warn({ err: error, userId: person.id }, 'a subscription could not be looked up');
    return answer(known);
  }
  return answer((await newestOf(parts.database, person.id)) ?? known);
}

function answer({ trial_end: trialEnd, current_period_end: periodEnd }: Known) {
  return { trialEnd: trialEnd?.toISOString() ?? null, currentPeriodEnd: periodEnd?.toISOString() ?? null };
}

function newestOf({ sql }: Database, userId: string): Promise<Known | undefined> {
  return sql
    .selectFrom('billing_subscription')
    .select(['id', 'trial_end', 'current_period_end', 'read_at'])
    .where('user_id', '=', userId)
    .orderBy('started_at', 'desc')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}
