import type { Selectable } from 'kysely';
import type Stripe from 'stripe';
import { isUuid } from '../../shared/lib/uuid.ts';
import type { User } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import type { Schema } from '../db/schema.ts';
import type { SystemTx } from '../sync/as-system.ts';
import type { BillingParts } from './billing-parts.ts';
import { ensureTradie } from './ensure-tradie.ts';

/**
 * `outdated`: a later request to the provider was applied already. `unknown-customer`: not a subscription of any person
 * here.
 */
export type Applied = 'changed' | 'unchanged' | 'outdated' | 'unknown-customer';

type Kept = Pick<
  Selectable<Schema['billing_subscription']>,
  'status' | 'trial_end' | 'current_period_end' | 'ended_at'
>;

const instant = (seconds: number | null | undefined) => (seconds == null ? null : new Date(seconds * 1000));
const idOf = (reference: string | { id: string }) => (typeof reference === 'string' ? reference : reference.id);

/**
 * Sets the person's rights to what the provider says: the subscription's status, and until when. The first one that
 * runs makes them a tradie, with the profile they typed before paying. All within the caller's transaction.
 */
export async function applySubscription(
  tx: SystemTx,
  { clock, log }: Pick<BillingParts, 'clock' | 'log'>,
  subscription: Stripe.Subscription,
  ticket: string,
): Promise<Applied> {
  const userId = await personOf(tx.sql, subscription);
  const user = userId === undefined ? undefined : await tx.hold('users', userId);
  if (user === undefined) {
    log.warn({ subscription: subscription.id }, 'a subscription belongs to no person here');
    return 'unknown-customer';
  }
  const now = clock();
  const read = { userId: user.id, ticket, now };
  if (!(await keep(tx.sql, subscription, read))) return 'outdated';
  const subscriptions = await subscriptionsOf(tx.sql, user.id);
  if (subscriptions.filter(({ status }) => isRunning(status)).length > 1)
    log.error({ userId: user.id }, 'a person pays for two subscriptions');
  const standing = subscriptions[0]!;
  const tradieId = isRunning(subscription.status)
    ? await ensureTradie(tx, { user, checkoutId: subscription.metadata['checkoutId'], now, log })
    : user.tradieId;
  if (tradieId === null && isRunning(subscription.status))
    log.error({ userId: user.id }, 'a person pays, and nothing is known of their business');
  const rights = {
    tradieId,
    subscriptionStatus: standing.status,
    subscriptionValidUntil: validUntil(standing)?.toISOString() ?? null,
  } satisfies Partial<User>;
  await tx.update('users', user, rights);
  const isSame =
    tradieId === user.tradieId &&
    rights.subscriptionStatus === user.subscriptionStatus &&
    rights.subscriptionValidUntil === user.subscriptionValidUntil;
  return isSame ? 'unchanged' : 'changed';
}

export function isRunning(status: string): boolean {
  return status === 'active' || status === 'trialing';
}

/** Until when the person may use what they pay for; for an ended one, when it ended. */
function validUntil({
  status,
  trial_end: trialEnd,
  current_period_end: periodEnd,
  ended_at: endedAt,
}: Kept): Date | null {
  return endedAt ?? (status === 'trialing' ? trialEnd : periodEnd);
}

/** Our own mark on the subscription, else whose customer it is. */
async function personOf(sql: Sql, { metadata, customer }: Stripe.Subscription): Promise<string | undefined> {
  const marked = metadata['userId'];
  if (marked !== undefined && isUuid(marked)) return marked;
  const found = await sql
    .selectFrom('billing_customer')
    .select('user_id')
    .where('customer_id', '=', idOf(customer))
    .executeTakeFirst();
  return found?.user_id;
}

/** False where the answer to a later request is here already. */
async function keep(
  sql: Sql,
  subscription: Stripe.Subscription,
  { userId, ticket, now }: { userId: string; ticket: string; now: Date },
): Promise<boolean> {
  const { id, customer, status, trial_end: trialEnd, ended_at: endedAt, created, items } = subscription;
  const read = {
    status,
    trial_end: instant(trialEnd),
    current_period_end: instant(items.data[0]?.current_period_end),
    ended_at: instant(endedAt),
    ticket,
    read_at: now,
  };
  const kept = await sql
    .insertInto('billing_subscription')
    .values({ id, user_id: userId, customer_id: idOf(customer), started_at: new Date(created * 1000), ...read })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet(read).whereRef('billing_subscription.ticket', '<', 'excluded.ticket'),
    )
    .returning('id')
    .executeTakeFirst();
  return kept !== undefined;
}

/**
 * The one that counts first: of the person's present customer (keys may have been changed), one that runs, then one
 * that could be put right, then the newest.
 */
async function subscriptionsOf(sql: Sql, userId: string): Promise<Kept[]> {
  return sql
    .selectFrom('billing_subscription as s')
    .select(['s.status', 's.trial_end', 's.current_period_end', 's.ended_at'])
    .where('s.user_id', '=', userId)
    .orderBy(
      ({ exists, selectFrom }) =>
        exists(
          selectFrom('billing_customer as c')
            .select('c.user_id')
            .whereRef('c.user_id', '=', 's.user_id')
            .whereRef('c.customer_id', '=', 's.customer_id'),
        ),
      'desc',
    )
    .orderBy((eb) =>
      eb
        .case()
        .when('s.status', 'in', ['active', 'trialing'])
        .then(0)
        .when('s.status', 'in', ['canceled', 'incomplete_expired'])
        .then(2)
        .else(1)
        .end(),
    )
    .orderBy('s.started_at', 'desc')
    .orderBy('s.id')
    .execute();
}
