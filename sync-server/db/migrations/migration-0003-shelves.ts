import { Migration } from '@mikro-orm/migrations';

/** Sealed shelves: segments never change once written, a manifest says which of them stand. */
const statements: readonly string[] = [
  `create table shelf_segment (
     hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
     shelf text not null,
     rows integer not null,
     bytes integer not null,
     body_br bytea not null,
     body_gzip bytea not null,
     sealed_at timestamptz not null,
     -- Since when no manifest names it; null while one does.
     unreferenced_at timestamptz
   )`,
  `create index shelf_segment_unreferenced_at on shelf_segment (unreferenced_at) where unreferenced_at is not null`,
  // Ready compressed: PostgreSQL's own attempt would only cost time.
  `alter table shelf_segment alter column body_br set storage external, alter column body_gzip set storage external`,
  `create table shelf_manifest (
     shelf text primary key,
     -- The commit version whose state the segments hold; 0: never sealed.
     version bigint not null,
     -- What the rows of the segments look like, so that a new column seals everything again.
     shape text not null,
     segments jsonb not null,
     sealed_at timestamptz,
     -- Who is sealing, until when at most.
     lease uuid,
     lease_until timestamptz
   )`,
  // When a row last changed as far as its shelf shows it: an interest changes who gets a job and a profile, and no
  // other person need hear of it.
  `alter table sync_change add column shelf_version bigint`,
  `drop index sync_change_shelf`,
  `create index sync_change_shelf on sync_change (shelf, shelf_version) where shelf_version is not null`,
  `alter table shelf_segment enable row level security`,
  `alter table shelf_manifest enable row level security`,
];

export class Shelves extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
