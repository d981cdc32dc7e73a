import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { MikroORM } from '@mikro-orm/pglite';
import type { MikroORM as PostgresOrm } from '@mikro-orm/postgresql';
import { columnParsers } from './column-parsers.ts';
import type { Database } from './database.ts';
import { inTransaction } from './in-transaction.ts';
import { installSyncTriggers } from './install-sync-triggers.ts';
import { ormOptions } from './orm-options.ts';
import type { Schema } from './schema.ts';
import { syncFolder } from './sync-folder.ts';
import { SyncedNodeFs, syncedStart } from './synced-node-fs.ts';
import { createEmbeddedFence, type EmbeddedFence } from './timeline-fence.ts';

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

/**
 * PostgreSQL in this process. Only one process at a time may open a directory. In a directory, what it acknowledged is
 * on the disk: it outlives a cut of the power. Where its files are replaced meanwhile, every query fails (S5): what is
 * open is then of another timeline, and would damage them.
 */
export async function openPglite({ dataDir, template }: PgliteSource): Promise<PgliteDatabase> {
  const isNew = dataDir !== undefined && !existsSync(join(dataDir, 'PG_VERSION'));
  const pglite = await PGlite.create({
    parsers: columnParsers,
    ...(dataDir === undefined
      ? {}
      : { fs: new SyncedNodeFs(dataDir), startParams: syncedStart(PGlite.defaultStartParams) }),
    ...(template === undefined ? {} : { loadDataDir: template }),
  });
  // PostgreSQL syncs what it writes; these files were unpacked beneath it.
  if (isNew) syncFolder(dataDir);
  const files = dataDir === undefined ? undefined : filesOf(dataDir);
  const fence = createEmbeddedFence(() => dataDir === undefined || filesOf(dataDir) === files);
  const database = await overPglite(pglite, files, fence);
  return {
    ...database,
    close: async () => {
      await database.close();
      // Closing PGlite writes, and must not write to files of another timeline.
      if (!pglite.closed && !fence.isEnded()) await pglite.close();
    },
  };
}

/** Our database over one that runs already, and outlives it. `files`: where it lies; one in memory lies in none. */
export async function overPglite(
  pglite: PGlite,
  files = '',
  fence: EmbeddedFence = createEmbeddedFence(() => true),
): Promise<PgliteDatabase> {
  await pglite.exec(`set timezone = 'UTC'; set dwang.files = '${files}'`);
  // The two drivers' ORM classes differ in their driver type alone; everything above the driver is shared.
  const orm = (await MikroORM.init({
    ...ormOptions(),
    dbName: 'postgres',
    driverOptions: { pglite },
  })) as unknown as PostgresOrm;
  const sql = orm.em.getKysely<Schema>().withPlugin({
    transformQuery: ({ node }) => {
      fence.mustAnswer();
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return {
    kind: 'pglite',
    orm,
    fence,
    sql,
    transaction: inTransaction(sql),
    listen: (channel, onNotice) => pglite.listen(channel, onNotice),
    // Within one process nothing can come between.
    listenState: () => ({ connection: 0, ageMs: 0 }),
    migrate: async () => {
      await orm.migrator.up();
      await installSyncTriggers(orm);
    },
    dump: async () => {
      fence.mustAnswer();
      return pglite.dumpDataDir('none');
    },
    close: () => orm.close(true),
  };
}

/**
 * Which files an embedded database lies in, by one that PostgreSQL never writes again. A copy that is put in their
 * place has another; undefined where there are none.
 */
function filesOf(folder: string): string | undefined {
  const file = statSync(join(folder, 'PG_VERSION'), { bigint: true, throwIfNoEntry: false });
  return file && `files:${file.ino}:${file.mtimeNs}`;
}
