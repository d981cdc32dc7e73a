import { Migration } from '@mikro-orm/migrations';

/** What the operator needs: which devices there are, what they themselves did, when something was forgotten. */
const statements: readonly string[] = [
  // One line a device, written now and then: for support and for the figures. Nothing here decides anything.
  `create table sync_device (
     user_id uuid not null,
     -- Made by the device for this person alone; says nothing of the device itself.
     device text not null,
     first_at timestamptz not null,
     last_at timestamptz not null,
     exchanges bigint not null,
     protocol integer not null,
     schema integer not null,
     -- Of the cookie it was given last: up to where it has everything, and with which rights.
     version bigint,
     view text,
     -- Changes that came with its last exchange, and the last reset it was told.
     sent integer not null,
     reset_reason text,
     reset_at timestamptz,
     primary key (user_id, device)
   )`,
  `create index sync_device_last_at on sync_device (last_at)`,
  // Who laid hands on what. Never what was in it.
  `create table admin_audit (
     id bigint generated always as identity primary key,
     at timestamptz not null,
     action text not null,
     user_id uuid,
     uid uuid,
     request_id text not null,
     result text not null
   )`,
  `create index admin_audit_at on admin_audit (at)`,
  `alter table sync_parked add column discarded_at timestamptz`,
  `create table retention_run (job text primary key, finished_at timestamptz not null, removed bigint not null)`,
  ...['sync_device', 'admin_audit', 'retention_run'].map((table) => `alter table ${table} enable row level security`),
];

export class Operate extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
