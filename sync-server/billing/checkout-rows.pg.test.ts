import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openPaymentHarness, onboarding, type PaymentHarness } from '../testing/payment-harness.ts';
import { ensureCheckout } from './checkout-rows.ts';

// Two concurrent writers: only real PostgreSQL has them.
let harness: PaymentHarness;
beforeAll(async () => {
  harness = await openPaymentHarness('postgres');
});
afterAll(() => harness.close());

it('knows the page of the checkout it replaces, also where that page was made concurrently', async () => {
  const { database } = harness;
  const member = await harness.member();
  await sql`insert into billing_customer (user_id, customer_id, created_at) values (${member.id}, ${`cus_${member.id}`}, now())`.execute(
    database.sql,
  );
  const wish = (businessName: string) =>
    database.transaction((tx) =>
      ensureCheckout(tx, {
        userId: member.id,
        tradieData: { ...onboarding, businessName, categoryIds: ['plumber'] },
        terms: [],
        now: harness.now(),
      }),
    );
  const { checkout } = await wish('Catlins Plumbing');

  const replacing = await database.transaction(async (slow) => {
    await sql`update billing_checkout set session_id = 'cs_just_made' where id = ${checkout.id} and state = 'open'`.execute(
      slow,
    );
    const begun = wish('Kākā Point Plumbing');
    const waiters = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await vi.waitFor(async () => expect((await waiters.execute(database.sql)).rows).toHaveLength(1), 30_000);
    return { begun };
  });

  expect((await replacing.begun).replaced).toEqual({ id: checkout.id, sessionId: 'cs_just_made' });
});
