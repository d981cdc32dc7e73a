import { PGlite } from '@electric-sql/pglite';
import { sql as rawSql } from 'kysely';
import { columnParsers } from '../db/column-parsers.ts';
import type { Database } from '../db/database.ts';
import { overPglite } from '../db/open-pglite.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { cloneTemplate } from './test-postgres.ts';
import type { TestDatabase } from './test-db.ts';

export interface DatabaseCopy {
  /** Opens it, as a server that starts on it; it may be open already. Closed with the copy. */
  open(options?: { mayBeSuperseded?: boolean }): Promise<Database>;
  discard(): Promise<void>;
}

/** The database as it is now, kept as a backup would keep it. */
export async function copyDatabase(db: TestDatabase): Promise<DatabaseCopy> {
  const opened: Database[] = [];
  const keep = (database: Database) => {
    opened.push(database);
    return database;
  };
  const close = async () => {
    for (const database of opened) await database.close();
  };
  if (db.url === undefined) {
    const pglite = await PGlite.create({ parsers: columnParsers, loadDataDir: await db.dump!() });
    return {
      open: async () => keep(await overPglite(pglite)),
      discard: async () => {
        await close();
        await pglite.close();
      },
    };
  }
  // PostgreSQL copies a database that no other client is connected to: the pool's other connections are idle, and are
  // made again.
  const admin = await openPostgres({ url: db.url.replace(/\/[^/]*$/, '/postgres') });
  await rawSql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${db.url.split('/').at(-1)}`.execute(
    admin.sql,
  );
  await admin.close();
  const clone = await cloneTemplate(db.url);
  return {
    open: async (options = {}) => keep(await openPostgres({ url: clone.url, ...options })),
    discard: async () => {
      await close();
      await clone.drop();
    },
  };
}
