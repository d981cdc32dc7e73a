import { readRows } from '../api/read-rows.ts';
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
 * Demo tradies are seeded with a subscription that was never bought: creates one for each at the embedded provider, so
 * that Manage Billing works for them. Those who have one are left as they are.
 */
export async function adoptSubscribers(
  parts: BillingParts,
  grant: GrantSubscription,
  emails: readonly string[],
): Promise<void> {
  const users = await readRows(parts.database.sql, 'users', {
    where: (t) =>
      t.and([
        t('email', '=', t.fn.any(t.val(emails))),
        t('tradie_id', 'is not', null),
        t('subscription_status', 'is not', null),
        t.not(
          t.exists(
            t.selectFrom('billing_customer').select('user_id').whereRef('billing_customer.user_id', '=', 'users.id'),
          ),
        ),
      ]),
  });
  for (const user of users) {
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
