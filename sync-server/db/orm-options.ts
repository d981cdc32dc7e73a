import { UnderscoreNamingStrategy } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { entities } from './entities/index.ts';
import { migrations } from './migrations/index.ts';

/** Keys and constraints are named as PostgreSQL names them where a migration does not. */
class PostgresNames extends UnderscoreNamingStrategy {
  override indexName(...[table, columns, type]: Parameters<UnderscoreNamingStrategy['indexName']>): string {
    const ending = { unique: 'key', foreign: 'fkey' }[type as string];
    return ending === undefined
      ? super.indexName(table, columns, type)
      : [table.replace(/^.*\./, ''), ...columns, ending].join('_');
  }
}

/** What both drivers are given: our entities, our migrations, and no discovery in the file system. */
export function ormOptions() {
  return {
    entities: Object.values(entities),
    extensions: [Migrator],
    namingStrategy: PostgresNames,
    forceUtcTimezone: true,
    debug: false,
    // sync-triggers.ts makes them, and replaces them where they changed.
    schemaGenerator: { ignoreTriggers: true },
    migrations: { migrationsList: migrations, snapshot: false, allOrNothing: true, transactional: true, silent: true },
  };
}
