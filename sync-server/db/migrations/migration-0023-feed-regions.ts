import { Migration } from '@mikro-orm/migrations';

/**
 * Where a row of a collection that is cut by regions is, and the regions in which it had a place and has left it: so
 * that a device that holds some regions, and the build of a snapshot, need not look at the others.
 */
const statements: readonly string[] = [
  `alter table sync_change add column shelf_region text, add column shelf_left text[]`,
  `update sync_change change set shelf_region = coalesce((select town.region from jobs join reference town on town.id = jobs.location_id
     where jobs.id = change.entity_id::uuid), '') where shelf = 'feed'`,
  `create index sync_change_region on sync_change (shelf, shelf_region, shelf_version) where shelf_region is not null`,
  `create index sync_change_left on sync_change (shelf, shelf_version) where shelf_left is not null`,
  `create index jobs_open_in_town on jobs (location_id, created_at, id) where status = 'active'`,
];

export class FeedRegions extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}
