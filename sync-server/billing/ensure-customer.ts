import { sql as rawSql } from 'kysely';
import type { User } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import { missingAtStripe, type BillingParts } from './billing-parts.ts';

/** The person's id at the payment provider, where there is one. */
export async function findCustomer(sql: Sql, userId: string): Promise<string | undefined> {
  const { rows } = await rawSql<{
    customer_id: string;
  }>`select customer_id from billing_customer where user_id = ${userId}`.execute(sql);
  return rows[0]?.customer_id;
}

/**
 * The person's customer at the payment provider, made where there is none. The idempotency key makes racing requests get the
 * same one. A customer the provider does not know (its keys were changed) is replaced.
 */
export async function ensureCustomer(
  { database, clock, payments }: BillingParts,
  { id: userId, email, firstName, lastName }: User,
): Promise<string> {
  const known = await findCustomer(database.sql, userId);
  if (known !== undefined && (await isThere(payments, known))) return known;
  const customer = await payments.stripe.customers.create(
    { email, name: `${firstName} ${lastName}`, metadata: { userId } },
    { idempotencyKey: known === undefined ? `customer-${userId}` : `customer-${userId}-after-${known}` },
  );
  const { rows } = await rawSql<{
    customer_id: string;
  }>`insert into billing_customer as kept (user_id, customer_id, created_at)
    values (${userId}, ${customer.id}, ${clock()})
    on conflict (user_id) do update set
      customer_id = case when kept.customer_id is not distinct from ${known ?? null}::text then excluded.customer_id else kept.customer_id end
    returning customer_id`.execute(database.sql);
  return rows[0]!.customer_id;
}

async function isThere({ stripe }: BillingParts['payments'], customerId: string): Promise<boolean> {
  try {
    return (await stripe.customers.retrieve(customerId)).deleted !== true;
  } catch (error) {
    if (missingAtStripe(error)) return false;
    throw error;
  }
}
