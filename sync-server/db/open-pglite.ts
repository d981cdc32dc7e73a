import { PGlite } from '@electric-sql/pglite';
import { MikroORM } from '@mikro-orm/pglite';
import type { MikroORM as PostgresOrm } from '@mikro-orm/postgresql';
import { columnParsers } from './column-parsers.ts';
import type { Database } from './database.ts';
import { inTransaction } from './in-transaction.ts';
import { installSyncTriggers } from './install-sync-triggers.ts';
import { ormOptions } from './orm-options.ts';
import type { Schema } from './schema.ts';

export interface PgliteSource {
  /** A directory, or nothing for a database that lives in memory. */
  dataDir?: string;
  /** The dump of a data directory to begin with. */
  template?: Blob;
}

export interface PgliteDatabase extends Database {
  /** A copy of the data directory, as `template` takes it. */
  dump(): Promise<Blob>;
}

/** PostgreSQL in this process. Only one process at a time may open a directory. */
export async function openPglite({ dataDir, template }: PgliteSource): Promise<PgliteDatabase> {
  const pglite = await PGlite.create({
    parsers: columnParsers,
    relaxedDurability: false,
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(template === undefined ? {} : { loadDataDir: template }),
  });
  const database = await overPglite(pglite);
  return {
    ...database,
    close: async () => {
      await database.close();
      if (!pglite.closed) await pglite.close();
    },
  };
}

/** Our database over one that runs already, and outlives it. */
export async function overPglite(pglite: PGlite): Promise<PgliteDatabase> {
  await pglite.exec(`set timezone = 'UTC'`);
  // The two drivers' ORM classes differ in their driver type alone; everything above the driver is shared.
  const orm = (await MikroORM.init({
    ...ormOptions(),
    dbName: 'postgres',
    driverOptions: { pglite },
  })) as unknown as PostgresOrm;
  return {
    kind: 'pglite',
    orm,
    sql: orm.em.getKysely<Schema>(),
    transaction: inTransaction(orm.em.getKysely<Schema>(), 'pglite'),
    listen: (channel, onNotice) => pglite.listen(channel, onNotice),
    // Within one process nothing can come between.
    listenState: () => ({ connection: 0, ageMs: 0 }),
    migrate: async () => {
      await orm.migrator.up();
      await installSyncTriggers(orm);
    },
    dump: () => pglite.dumpDataDir('none'),
    close: () => orm.close(true),
  };
}
