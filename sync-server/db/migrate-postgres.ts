import type { MikroORM } from '@mikro-orm/postgresql';
import { Client } from 'pg';
import { rethrowNamed } from './name-lost-connections.ts';
import { installSyncTriggers } from './install-sync-triggers.ts';
import { advisoryLocks } from './advisory-locks.ts';

/**
 * Applies the missing migrations while holding a lock of the whole cluster of instances; who waits for it longer than
 * `longestMs` fails.
 */
export async function migratePostgres(url: string, longestMs: number, openOrm: () => Promise<MikroORM>): Promise<void> {
  const holder = new Client({
    connectionString: url,
    application_name: 'dwang migrate',
    keepAlive: true,
    connectionTimeoutMillis: 5_000,
    query_timeout: longestMs,
  });
  // A lost lock shows itself as a failing query below; the event only has to have a listener.
  holder.on('error', () => undefined);
  await holder.connect().catch(rethrowNamed);
  try {
    await holder.query('select pg_advisory_lock($1)', [advisoryLocks.migration]).catch(rethrowNamed);
    const orm = await openOrm();
    try {
      await orm.migrator.up();
      await installSyncTriggers(orm);
    } finally {
      await orm.close(true);
    }
  } finally {
    await holder.end();
  }
}
