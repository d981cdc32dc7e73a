import { createObjectId } from './objects.ts';
import type { PaymentContext } from './payment-parts.ts';
import { embeddedVersion } from './embedded-version.ts';

/** Columns whose value differs, as they were: what the provider calls `previous_attributes`. */
function changedFrom(before: object, after: object): Record<string, unknown> {
  const now = after as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(now[name])),
  );
}

/** Stores an event, to be delivered by webhook once this transaction has committed. */
export async function tell({ sql, now }: PaymentContext, type: string, object: object, before?: object): Promise<void> {
  const id = createObjectId('evt');
  const event = {
    id,
    object: 'event',
    api_version: embeddedVersion,
    created: now,
    data: { object, ...(before === undefined ? {} : { previous_attributes: changedFrom(before, object) }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
  await sql
    .insertInto('embedded.payment_events')
    .values({ id, body: JSON.stringify(event), attempts: 0, due_at: new Date(now * 1000) })
    .execute();
}
