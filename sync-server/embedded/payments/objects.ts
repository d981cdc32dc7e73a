import { randomBytes } from 'node:crypto';
import { sql as rawSql } from 'kysely';
import type { PaymentContext } from './payment-parts.ts';
import type { Kind, Kinds } from './wire.ts';

/** In the format of the provider's ids. Not guessable: a checkout page is open to every holder of its address. */
export function newId(prefix: string): string {
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
  await rawSql`insert into embedded.payment_objects (id, kind, customer_id, due_at, body, hidden)
    values (${body.id}, ${kind}, ${customer}, ${instant(dueAt)}, ${JSON.stringify(body)}::jsonb, ${hidden === undefined ? null : JSON.stringify(hidden)}::jsonb)`.execute(
    sql,
  );
}

export async function saveObject<K extends Kind>(
  { sql }: PaymentContext,
  _kind: K,
  body: Kinds[K],
  dueAt: number | null = null,
): Promise<void> {
  await rawSql`update embedded.payment_objects set body = ${JSON.stringify(body)}::jsonb, due_at = ${instant(dueAt)} where id = ${body.id}`.execute(
    sql,
  );
}

export async function findObject<K extends Kind>(
  { sql }: PaymentContext,
  kind: K,
  id: string,
): Promise<Kinds[K] | undefined> {
  const { rows } = await rawSql<{
    body: Kinds[K];
  }>`select body from embedded.payment_objects where kind = ${kind} and id = ${id}`.execute(sql);
  return rows[0]?.body;
}

export async function findHidden<T>({ sql }: PaymentContext, id: string): Promise<T | undefined> {
  const { rows } = await rawSql<{
    hidden: T | null;
  }>`select hidden from embedded.payment_objects where id = ${id}`.execute(sql);
  return rows[0]?.hidden ?? undefined;
}

/** Newest first. */
export async function listObjects<K extends Kind>(
  { sql }: PaymentContext,
  kind: K,
  customer?: string,
): Promise<Kinds[K][]> {
  const ofCustomer = customer === undefined ? rawSql`true` : rawSql`customer_id = ${customer}`;
  const { rows } = await rawSql<{
    body: Kinds[K];
  }>`select body from embedded.payment_objects where kind = ${kind} and ${ofCustomer} order by position desc`.execute(
    sql,
  );
  return rows.map(({ body }) => body);
}

/** The one that has waited longest for what happens to it by itself, and when that was due in Unix seconds. */
export async function findDue({
  sql,
  now,
}: PaymentContext): Promise<{ kind: Kind; id: string; dueAt: number } | undefined> {
  const { rows } = await rawSql<{
    kind: Kind;
    id: string;
    due_at: Date;
  }>`select kind, id, due_at from embedded.payment_objects
    where due_at <= ${instant(now)} order by due_at, position limit 1`.execute(sql);
  return rows[0] && { kind: rows[0].kind, id: rows[0].id, dueAt: Math.floor(rows[0].due_at.getTime() / 1000) };
}
