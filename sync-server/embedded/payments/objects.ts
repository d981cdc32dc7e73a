import { randomBytes } from 'node:crypto';
import type { NotNull } from 'kysely';
import type { PaymentContext } from './payment-parts.ts';
import type { Kind, Kinds } from './wire.ts';

/**
 * Makes an id in the format of the provider's. Not guessable: a checkout page is open to every holder of its address.
 */
export function createObjectId(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('base64url').replace(/[-_]/g, 'x')}`;
}

const instant = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));

interface Beside {
  /** Unix seconds at which something happens to it by itself. */
  dueAt?: number | null;
  hidden?: object;
}

export async function addObject<K extends Kind>(
  { sql }: PaymentContext,
  kind: K,
  body: Kinds[K],
  { dueAt = null, hidden }: Beside = {},
): Promise<void> {
  const customer = 'customer' in body ? body.customer : null;
  await sql
    .insertInto('embedded.payment_objects')
    .values({
      id: body.id,
      kind,
      customer_id: customer,
      due_at: instant(dueAt),
      body: JSON.stringify(body),
      hidden: hidden === undefined ? null : JSON.stringify(hidden),
    })
    .execute();
}

export async function saveObject<K extends Kind>(
  { sql }: PaymentContext,
  _kind: K,
  body: Kinds[K],
  dueAt: number | null = null,
): Promise<void> {
  await sql
    .updateTable('embedded.payment_objects')
    .set({ body: JSON.stringify(body), due_at: instant(dueAt) })
    .where('id', '=', body.id)
    .execute();
}

export async function findObject<K extends Kind>(
  { sql }: PaymentContext,
  kind: K,
  id: string,
): Promise<Kinds[K] | undefined> {
  const found = await sql
    .selectFrom('embedded.payment_objects')
    .select('body')
    .where('kind', '=', kind)
    .where('id', '=', id)
    .executeTakeFirst();
  return found?.body as Kinds[K] | undefined;
}

export async function findHidden<T>({ sql }: PaymentContext, id: string): Promise<T | undefined> {
  const found = await sql
    .selectFrom('embedded.payment_objects')
    .select('hidden')
    .where('id', '=', id)
    .executeTakeFirst();
  return (found?.hidden ?? undefined) as T | undefined;
}

/** Newest first. */
export async function listObjects<K extends Kind>(
  { sql }: PaymentContext,
  kind: K,
  customer?: string,
): Promise<Kinds[K][]> {
  const rows = await sql
    .selectFrom('embedded.payment_objects')
    .select('body')
    .where('kind', '=', kind)
    .$if(customer !== undefined, (query) => query.where('customer_id', '=', customer!))
    .orderBy('position', 'desc')
    .execute();
  return rows.map(({ body }) => body as unknown as Kinds[K]);
}

/** The one that has waited longest for what happens to it by itself, and when that was due in Unix seconds. */
export async function findDue({
  sql,
  now,
}: PaymentContext): Promise<{ kind: Kind; id: string; dueAt: number } | undefined> {
  const found = await sql
    .selectFrom('embedded.payment_objects')
    .select(['kind', 'id', 'due_at'])
    .where('due_at', '<=', new Date(now * 1000))
    .orderBy('due_at')
    .orderBy('position')
    .limit(1)
    .$narrowType<{ due_at: NotNull }>()
    .executeTakeFirst();
  return found && { kind: found.kind as Kind, id: found.id, dueAt: Math.floor(found.due_at.getTime() / 1000) };
}
