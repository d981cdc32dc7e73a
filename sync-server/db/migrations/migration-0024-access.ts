import { Migration } from '@mikro-orm/migrations';

/**
 * Who began or ceased to see a row that did not change itself, and with which commit: one line a row and person, so
 * that the other people of that row are told nothing.
 */
const statements: readonly string[] = [
  `create table sync_access (
     entity text not null,
     entity_id text collate "C" not null,
     person uuid not null,
     version bigint not null,
     primary key (entity, entity_id, person)
   )`,
  `create index sync_access_person on sync_access (person, version)`,
  `create index sync_access_version on sync_access (version)`,
  `alter table sync_access enable row level security`,
];

export class Access extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
