import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  // What happens once carries a name that is there once.
  `alter table effect add column key text unique`,
  `create index effect_done_at on effect (done_at) where done_at is not null`,
  // Which mails a person wants. The token stands in the mails' links: the holder of one of them may say "no more".
  `create table mail_preference (
     user_id uuid primary key references users (id),
     token uuid not null unique default gen_random_uuid(),
     wants_interest_mails boolean not null default true,
     changed_at timestamptz not null
   )`,
  // What the register of New Zealand business numbers said last. Null: it has been asked and has not answered yet.
  `create table nzbn_check (
     nzbn text primary key,
     is_registered boolean,
     entity_name text,
     asked_at timestamptz not null,
     answered_at timestamptz
   )`,
  // A hosted project answers SQL over HTTP to any caller with its public key; see migration 0001.
  ...['contact_read', 'mail_preference', 'nzbn_check'].map((table) => `alter table ${table} enable row level security`),
];

/** What follows a committed mutation: done once, mails that can be turned off, and the business numbers' register. */
export class Effects extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
