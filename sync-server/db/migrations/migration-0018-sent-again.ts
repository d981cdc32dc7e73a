import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  `create table sync_sent_again (
     user_id uuid not null,
     uid uuid not null,
     name text not null,
     -- Where it was applied before; no version where it was not.
     timeline text not null,
     version bigint,
     became text not null,
     device text,
     first_at timestamptz not null,
     last_at timestamptz not null,
     primary key (user_id, uid)
   )`,
  `create index sync_sent_again_last_at on sync_sent_again (last_at)`,
  `alter table sync_sent_again enable row level security`,
];

/** What devices sent again after a restore, for the operator's page. */
export class SentAgain extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
