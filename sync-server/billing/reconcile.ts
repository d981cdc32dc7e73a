import { randomUUID } from 'node:crypto';
import { day, minute } from '../../shared/lib/durations.ts';
import { asSystem } from '../sync/as-system.ts';
import { applySubscription, type Applied } from './apply-subscription.ts';
import type { BillingParts } from './billing-parts.ts';
import { drawTicket, refreshSubscription } from './refresh-subscription.ts';

export interface Reconciled {
  checked: number;
  /** Whose rights were not what the provider said. */
  mended: number;
  /** Known to the provider, but of no person here. */
  strangers: number;
  /** Ours, but unknown to the provider: other keys than before? Nothing was changed for these. */
  unknown: number;
}

const leaseMs = 30 * minute;

/**
 * Compares every subscription with the provider's own list and corrects what differs: events get lost. One instance at
 * a time.
 *
 * @param dueAfter milliseconds since the last run before which there is nothing to do; 0 runs at once.
 * @returns undefined where another instance is running it, or it is not due.
 */
export async function reconcile(parts: BillingParts, dueAfter = 0): Promise<Reconciled | undefined> {
  const lease = await acquireLease(parts, dueAfter);
  if (lease === undefined) return undefined;
  const found = await compare(parts);
  await forgetOld(parts);
  await parts.database.sql
    .updateTable('billing_reconcile')
    .set({ lease: null, lease_until: null, finished_at: parts.clock() })
    .where('lease', '=', lease)
    .execute();
  const level = found.mended + found.strangers + found.unknown > 0 ? 'warn' : 'info';
  parts.log[level]({ ...found }, 'subscriptions compared with the payment provider');
  return found;
}

async function acquireLease({ database, clock }: BillingParts, dueAfter: number): Promise<string | undefined> {
  const now = clock();
  const lease = randomUUID();
  const acquired = await database.sql
    .updateTable('billing_reconcile')
    .set({ lease, lease_until: new Date(now.getTime() + leaseMs) })
    .where((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<', now)]))
    .where((eb) => eb.or([eb('finished_at', 'is', null), eb('finished_at', '<=', new Date(now.getTime() - dueAfter))]))
    .returning('lease')
    .executeTakeFirst();
  return acquired && lease;
}

async function compare(parts: BillingParts): Promise<Reconciled> {
  const { stripe, priceId } = parts.payments;
  const found: Reconciled = { checked: 0, mended: 0, strangers: 0, unknown: 0 };
  const count = (outcome: Applied | 'repeated' | 'unknown') => {
    found.checked += 1;
    if (outcome === 'changed') found.mended += 1;
    if (outcome === 'unknown-customer') found.strangers += 1;
    if (outcome === 'unknown') found.unknown += 1;
  };
  const seen = new Set<string>();
  let after: string | undefined;
  for (;;) {
    const ticket = await drawTicket(parts);
    const page = await stripe.subscriptions.list({
      status: 'all',
      price: priceId,
      limit: 100,
      ...(after === undefined ? {} : { starting_after: after }),
    });
    for (const subscription of page.data) {
      seen.add(subscription.id);
      count(await asSystem(parts.database, (tx) => applySubscription(tx, parts, subscription, ticket)));
    }
    after = page.data.at(-1)?.id;
    if (!page.has_more || after === undefined) break;
  }
  // The list lacks subscriptions at an older price.
  const rows = await parts.database.sql
    .selectFrom('billing_subscription')
    .select('id')
    .where('status', 'not in', ['canceled', 'incomplete_expired'])
    .execute();
  for (const { id } of rows) if (!seen.has(id)) count(await refreshSubscription(parts, id));
  return found;
}

/** Rows without further use: onboardings hold people's contact details. */
async function forgetOld({ database, clock }: BillingParts): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * day);
  await database.sql.deleteFrom('billing_event').where('at', '<', before(90)).execute();
  await database.sql
    .deleteFrom('billing_checkout')
    .where((eb) =>
      eb.or([
        eb.and([eb('state', '<>', 'open'), eb('created_at', '<', before(30))]),
        eb('created_at', '<', before(60)),
      ]),
    )
    .execute();
}
