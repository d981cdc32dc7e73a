import { Migration } from '@mikro-orm/migrations';

const statements: readonly string[] = [
  // One line for each timeline that began with a restore.
  `create table sync_timeline (
     lineage uuid primary key,
     previous uuid not null,
     -- The newest version of the previous timeline that this one has, and the one it began with.
     point bigint not null,
     first bigint not null,
     began_at timestamptz not null
   )`,
  `alter table sync_timeline enable row level security`,
];

/** Which timeline came after which, and up to where it has what was before. */
export class Timelines extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
