import { Migration } from '@mikro-orm/migrations';

/**
 * What the server knows of subscriptions. The provider's word is the truth; these rows say what was last heard of it.
 */
const billing: readonly string[] = [
  `create table billing_customer (
     user_id uuid primary key references users (id),
     customer_id text not null unique,
     created_at timestamptz not null
   )`,
  // What a person typed to become a tradie, until they have paid. It never leaves this server.
  `create table billing_checkout (
     id uuid primary key,
     user_id uuid not null references users (id),
     -- Of everything that decides what the checkout looks like: the same again is the same checkout.
     digest text not null,
     tradie_data jsonb not null,
     session_id text unique,
     state text not null check (state in ('open', 'paid', 'dropped')),
     created_at timestamptz not null
   )`,
  // At most one that can still be paid, so that no person pays twice.
  `create unique index billing_checkout_open on billing_checkout (user_id) where state = 'open'`,
  `create index billing_checkout_user_id on billing_checkout (user_id)`,
  `create table billing_subscription (
     id text primary key,
     user_id uuid not null references users (id),
     customer_id text not null,
     status text not null,
     trial_end timestamptz,
     current_period_end timestamptz,
     ended_at timestamptz,
     started_at timestamptz not null,
     -- Drawn before the provider was asked: what was asked for earlier never overwrites what was asked for later.
     ticket bigint not null,
     read_at timestamptz not null
   )`,
  `create index billing_subscription_user_id on billing_subscription (user_id)`,
  `create sequence billing_ticket as bigint`,
  `create table billing_event (id text primary key, type text not null, at timestamptz not null)`,
  `create index billing_event_at on billing_event (at)`,
  `create table billing_reconcile (
     only_row boolean primary key default true check (only_row),
     lease uuid,
     lease_until timestamptz,
     finished_at timestamptz
   )`,
  `insert into billing_reconcile default values`,
];

const tables = ['billing_customer', 'billing_checkout', 'billing_subscription', 'billing_event', 'billing_reconcile'];
/** Closes them as the synced tables are: a hosted project answers SQL over HTTP to any caller with its public key. */
const closed = tables.map((table) => `alter table ${table} enable row level security`);

/** The test payments of a fresh machine. */
const embedded: readonly string[] = [
  `create table embedded.payment_objects (
     id text primary key,
     kind text not null,
     position bigint generated always as identity,
     customer_id text,
     -- When something happens to it by itself: a trial ends, a month is due, a checkout expires.
     due_at timestamptz,
     body jsonb not null,
     -- What belongs to it and is never shown: the terms of a checkout.
     hidden jsonb
   )`,
  `create index payment_objects_kind on embedded.payment_objects (kind, position)`,
  `create index payment_objects_customer_id on embedded.payment_objects (customer_id, kind)`,
  `create index payment_objects_due_at on embedded.payment_objects (due_at) where due_at is not null`,
  `create table embedded.payment_requests (
     key text primary key,
     digest text not null,
     status integer not null,
     body text not null,
     at timestamptz not null
   )`,
  `create table embedded.payment_events (
     id text primary key,
     position bigint generated always as identity,
     -- As text: it is delivered, and signed, as it stands here.
     body text not null,
     attempts integer not null,
     due_at timestamptz not null,
     delivered_at timestamptz
   )`,
  `create index payment_events_due_at on embedded.payment_events (due_at) where delivered_at is null`,
];

export class Billing extends Migration {
  override up(): void {
    for (const statement of [...billing, ...closed, ...embedded]) this.addSql(statement);
  }
}
