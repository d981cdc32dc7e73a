import type { MikroORM } from '@mikro-orm/postgresql';
import { sql as rawSql } from 'kysely';
import type { Sql } from './database.ts';
import type { Schema } from './schema.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { syncTriggersHash, syncTriggerStatements } from './sync-triggers.ts';

/**
 * Brings the triggers of the synced tables up to this code, in one transaction; does nothing where they are. Run it
 * after the migrations.
 */
export async function installSyncTriggers(orm: MikroORM): Promise<void> {
  const hash = syncTriggersHash();
  await orm.em.fork().transactional(async (em) => {
    const tx: Sql = em.getKysely<Schema>();
    await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(tx);
    const { rows } = await rawSql<{
      triggers_hash: string | null;
    }>`select triggers_hash from sync_meta for update`.execute(tx);
    if (rows[0]?.triggers_hash === hash) return;
    for (const statement of syncTriggerStatements()) await rawSql.raw(statement).execute(tx);
    await rawSql`update sync_meta set triggers_hash = ${hash}`.execute(tx);
  });
}
