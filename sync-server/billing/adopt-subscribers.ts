import { sql as rawSql } from 'kysely';
import type { User } from '../../shared/tables/index.ts';
import { asRow, columnsSql } from '../db/rows.ts';
import type { BillingParts } from './billing-parts.ts';
import { ensureCustomer } from './ensure-customer.ts';

/** Makes the provider have a subscription in the state named. Only the embedded one can do that. */
export type GrantSubscription = (grant: {
  customer: string;
  userId: string;
  status: string;
  until: number;
}) => Promise<void>;

/**
 * Demo tradies are seeded with a subscription that was never bought: creates one for each at the embedded provider, so that Manage
 * Billing works for them. Those who have one are left as they are.
 */
export async function adoptSubscribers(
  parts: BillingParts,
  grant: GrantSubscription,
  emails: readonly string[],
): Promise<void> {
  const { rows } = await rawSql<Record<string, unknown>>`select ${columnsSql('users', 't')} from users t
    where t.email = any(${emails}::text[]) and t.tradie_id is not null and t.subscription_status is not null
      and not exists (select 1 from billing_customer c where c.user_id = t.id)`.execute(parts.database.sql);
  for (const user of rows.map((row): User => asRow<'users'>(row))) {
    const { id: userId, subscriptionStatus, subscriptionValidUntil } = user;
    if (subscriptionStatus === null || subscriptionValidUntil === null) continue;
    const customer = await ensureCustomer(parts, user);
    await grant({
      customer,
      userId,
      status: subscriptionStatus,
      until: Math.floor(Date.parse(subscriptionValidUntil) / 1000),
    });
  }
}
