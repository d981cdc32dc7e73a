import type { User } from '../../shared/tables/index.ts';
import type { Sql } from '../db/database.ts';
import { missingAtStripe, type BillingParts } from './billing-parts.ts';

/** The person's id at the payment provider, where there is one. */
export async function findCustomer(sql: Sql, userId: string): Promise<string | undefined> {
  const found = await sql
    .selectFrom('billing_customer')
    .select('customer_id')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return found?.customer_id;
}

/**
 * The person's customer at the payment provider, made where there is none. The idempotency key makes racing requests
 * get the same one. A customer the provider does not know (its keys were changed) is replaced. One that a restored
 * database does not know is found by the person's mark: a second one would be asked to pay again.
 */
export async function ensureCustomer(
  { database, clock, payments }: BillingParts,
  { id: userId, email, firstName, lastName }: User,
): Promise<string> {
  const known = await findCustomer(database.sql, userId);
  if (known !== undefined && (await isThere(payments, known))) return known;
  const forgotten = known === undefined ? await findMarked(payments, { userId, email }) : undefined;
  const customer =
    forgotten ??
    (await payments.stripe.customers.create(
      { email, name: `${firstName} ${lastName}`, metadata: { userId } },
      { idempotencyKey: known === undefined ? `customer-${userId}` : `customer-${userId}-after-${known}` },
    ));
  const kept = await database.sql
    .insertInto('billing_customer')
    .values({ user_id: userId, customer_id: customer.id, created_at: clock() })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        customer_id: eb
          .case()
          .when('billing_customer.customer_id', 'is not distinct from', eb.cast<string>(eb.val(known ?? null), 'text'))
          .then(eb.ref('excluded.customer_id'))
          .else(eb.ref('billing_customer.customer_id'))
          .end(),
      })),
    )
    .returning('customer_id')
    .executeTakeFirstOrThrow();
  return kept.customer_id;
}

async function findMarked(
  { stripe }: BillingParts['payments'],
  { userId, email }: { userId: string; email: string },
): Promise<{ id: string } | undefined> {
  const { data } = await stripe.customers.list({ email, limit: 100 });
  return data.find(({ metadata }) => metadata['userId'] === userId);
}

async function isThere({ stripe }: BillingParts['payments'], customerId: string): Promise<boolean> {
  try {
    return (await stripe.customers.retrieve(customerId)).deleted !== true;
  } catch (error) {
    if (missingAtStripe(error)) return false;
    throw error;
  }
}
