import { Migrator } from '@mikro-orm/migrations';
import { entities } from './entities.ts';
import { migrations } from './migrations/index.ts';

/** What both drivers are given: our entities, our migrations, and no discovery in the file system. */
export function ormOptions() {
  return {
    entities,
    extensions: [Migrator],
    // Rows are read far more often by the query builder than through entities; an empty list is allowed for tests.
    discovery: { warnWhenNoEntities: false },
    forceUtcTimezone: true,
    debug: false,
    migrations: { migrationsList: migrations, snapshot: false, allOrNothing: true, transactional: true, silent: true },
  };
}
