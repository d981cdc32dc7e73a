import { sql as rawSql } from 'kysely';
import type Stripe from 'stripe';
import { isUuid } from '../../shared/lib/uuid.ts';
import type { User } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import type { SystemTx } from '../sync/as-system.ts';
import type { BillingParts } from './billing-parts.ts';
import { ensureTradie } from './ensure-tradie.ts';

/** `outdated`: a later request to the provider was applied already. `nobody`: not a subscription of any person here. */
export type Applied = 'changed' | 'unchanged' | 'outdated' | 'nobody';

interface Kept {
  status: string;
  trial_end: Date | null;
  current_period_end: Date | null;
  ended_at: Date | null;
}

const instant = (seconds: number | null | undefined) => (seconds == null ? null : new Date(seconds * 1000));
const idOf = (reference: string | { id: string }) => (typeof reference === 'string' ? reference : reference.id);

/**
 * Sets the person's rights to what the provider says: the subscription's status, and until when. The first one that runs makes them a
 * tradie, with the profile they typed before paying. All within the caller's transaction.
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
    log.warn({ subscription: subscription.id }, 'a subscription belongs to nobody here');
    return 'nobody';
  }
  const now = clock();
  const read = { userId: user.id, ticket, now };
  if (!(await keep(tx.sql, subscription, read))) return 'outdated';
  const subscriptions = await subscriptionsOf(tx.sql, user.id);
  if (subscriptions.filter(({ status }) => isRunning(status)).length > 1)
    log.error({ userId: user.id }, 'somebody pays for two subscriptions');
  const standing = subscriptions[0]!;
  const tradieId = isRunning(subscription.status)
    ? await ensureTradie(tx, { user, checkoutId: subscription.metadata['checkoutId'], now, log })
    : user.tradieId;
  if (tradieId === null && isRunning(subscription.status))
    log.error({ userId: user.id }, 'somebody pays, and nothing is known of their business');
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
  const { rows } = await rawSql<{
    user_id: string;
  }>`select user_id from billing_customer where customer_id = ${idOf(customer)}`.execute(sql);
  return rows[0]?.user_id;
}

/** False where the answer to a later request is here already. */
async function keep(
  sql: Sql,
  subscription: Stripe.Subscription,
  { userId, ticket, now }: { userId: string; ticket: string; now: Date },
): Promise<boolean> {
  const { id, customer, status, trial_end: trialEnd, ended_at: endedAt, created, items } = subscription;
  const { rows } = await rawSql`insert into billing_subscription as kept
    (id, user_id, customer_id, status, trial_end, current_period_end, ended_at, started_at, ticket, read_at)
    values (${id}, ${userId}, ${idOf(customer)}, ${status}, ${instant(trialEnd)}, ${instant(items.data[0]?.current_period_end)},
      ${instant(endedAt)}, ${instant(created)}, ${ticket}::bigint, ${now})
    on conflict (id) do update set status = excluded.status, trial_end = excluded.trial_end, current_period_end = excluded.current_period_end,
      ended_at = excluded.ended_at, ticket = excluded.ticket, read_at = excluded.read_at
    where kept.ticket < excluded.ticket returning id`.execute(sql);
  return rows.length > 0;
}

/**
 * The one that counts first: of the person's present customer (keys may have been changed), one that runs, then one that could be
 * put right, then the newest.
 */
async function subscriptionsOf(sql: Sql, userId: string): Promise<Kept[]> {
  const { rows } =
    await rawSql<Kept>`select status, trial_end, current_period_end, ended_at from billing_subscription s where user_id = ${userId}
    order by exists (select 1 from billing_customer c where c.user_id = s.user_id and c.customer_id = s.customer_id) desc,
      case when status in ('active', 'trialing') then 0 when status in ('canceled', 'incomplete_expired') then 2 else 1 end,
      started_at desc, id`.execute(sql);
  return rows;
}
