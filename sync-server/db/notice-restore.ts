import { sql as rawSql } from 'kysely';
import type { Log } from '../log.ts';
import type { Database } from './database.ts';
import { beginNewLineage } from './new-lineage.ts';
import { advisoryLocks } from './advisory-locks.ts';

/**
 * Begins a new lineage where the PostgreSQL is another than when a server last started on these rows: a dump restored into a new
 * database, another cluster, or a timeline that began with a recovery or a failover (S5). What it cannot tell, a dump restored over
 * the same database, `npm run restored` says; the embedded database says it when it is restored.
 *
 * @returns whether it was another.
 */
export function noticeRestore(database: Database, log: Pick<Log, 'warn'>): Promise<boolean> {
  if (database.kind !== 'postgres') return Promise.resolve(false);
  return database.transaction(async (sql) => {
    // In the order in which whoever forgets removals takes the two.
    await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(sql);
    const { rows: meta } = await rawSql<{ life: string | null }>`select life from sync_meta for update`.execute(sql);
    const { rows: allowed } = await rawSql<{ may: boolean }>`select has_function_privilege('pg_control_system()', 'execute') and has_function_privilege('pg_control_checkpoint()', 'execute') as may`.execute(sql);
    if (allowed[0]?.may !== true) {
      log.warn('this user may not ask which PostgreSQL this is: after a restore, run `npm run restored`');
      return false;
    }
    const { rows } = await rawSql<{ life: string }>`select concat_ws(':', (select system_identifier from pg_control_system()),
      (select timeline_id from pg_control_checkpoint()), (select oid from pg_database where datname = current_database())) as life`.execute(sql);
    const [before, now] = [meta[0]?.life ?? null, rows[0]?.life ?? ''];
    if (before === now) return false;
    await rawSql`update sync_meta set life = ${now}`.execute(sql);
    if (before === null) return false;
    const lineage = await beginNewLineage(sql);
    log.warn({ before, now, lineage }, 'the database was restored or has moved: every device begins anew, and sends what it still holds');
    return true;
  });
}
