import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  // At most two rows: what is safe, and what is watched until it is.
  `create table sync_safe (
     state text primary key check (state in ('safe', 'next')),
     by text not null,
     timeline uuid not null,
     version bigint not null,
     -- Of the log of a PostgreSQL; null where a backup made it safe.
     position text,
     at timestamptz not null
   )`,
  `alter table sync_safe enable row level security`,
];

/** Up to which version what was committed outlives the loss of the database. */
export class Safe extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
