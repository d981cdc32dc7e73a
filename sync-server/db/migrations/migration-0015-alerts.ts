import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  // This server's key at the push services, where the environment names none.
  `create table vapid_key (
     only_row boolean primary key default true check (only_row),
     public_key text not null,
     private_key text not null,
     created_at timestamptz not null
   )`,
  // One browser of a person. Its address is a secret: with it and our key one may write to that phone.
  `create table push_subscription (
     id uuid primary key default gen_random_uuid(),
     user_id uuid not null references users (id),
     endpoint text not null unique,
     p256dh text not null,
     auth text not null,
     created_at timestamptz not null
   )`,
  `create index push_subscription_user on push_subscription (user_id)`,
  // What a person is to be told, once: whatever was matched how often.
  `create table alert (
     id uuid primary key default gen_random_uuid(),
     user_id uuid not null references users (id),
     kind text not null check (kind in ('interest', 'job')),
     subject_id uuid not null,
     job_id uuid not null,
     at timestamptz not null,
     pushed_at timestamptz,
     mailed_at timestamptz,
     dropped_at timestamptz,
     unique (user_id, kind, subject_id)
   )`,
  `create index alert_waiting on alert (user_id) where pushed_at is null and mailed_at is null and dropped_at is null`,
  `create index alert_at on alert (at)`,
  // A hosted project answers SQL over HTTP to any caller with its public key; see migration 0001.
  ...['vapid_key', 'push_subscription', 'alert'].map((table) => `alter table ${table} enable row level security`),
];

/** Who is told what on which phone. */
export class Alerts extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
