import { sql as rawSql } from 'kysely';
import type { Log } from '../lib/log.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { isOfOtherLife } from './database-life.ts';
import type { Database } from './database.ts';
import { startNewTimeline } from './new-timeline.ts';

/** How far a server knows the database to have come. */
export interface Seen {
  lineage: string;
  /** A commit version. */
  head: string;
}

/** The database is not the one that this server knew: its state was put back. What asked may ask again, of its new life. */
export class SetBack extends Error {
  override name = 'SetBack';
  /** SQLSTATE "serialization failure": the same work can be tried again. */
  readonly code = '40001';
}

/**
 * Begins a new lineage where the PostgreSQL is another than the one these rows were last used on: a dump restored into a new
 * database, another cluster, or a timeline that began with a recovery or a failover; and where a server has `seen` more than there is,
 * as after files put back whole (S5). Asked as a server starts, at every look that the poke takes, and at every exchange. What nobody
 * can tell, a dump restored over the same database while no server ran, `npm run restored` says; the embedded database says it when
 * it is restored.
 *
 * @returns whether this call began one; of several servers that notice, one does.
 */
export function noticeRestore(database: Database, log: Pick<Log, 'warn'>, seen?: Seen): Promise<boolean> {
  return database.transaction(async (sql) => {
    // In the order in which whoever forgets removals takes the two.
    await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(sql);
    const { rows } = await rawSql<{ before: string | null; lineage: string; head: string; isOther: boolean }>`
      select meta.life as before, meta.lineage, greatest(meta.tombstone_floor, (select max(version) from sync_change)) as head, ${isOfOtherLife} as "isOther"
      from sync_meta meta for update`.execute(sql);
    const [meta] = rows;
    if (meta === undefined) throw new Error('this database has no sync_meta: it was never migrated');
    const now = database.kind === 'postgres' ? await readLife() : null;
    if (now === null && database.kind === 'postgres') log.warn('this user may not ask which PostgreSQL this is: after a restore, run `npm run restored`');
    if (now !== null && now !== meta.before) await rawSql`update sync_meta set life = ${now}`.execute(sql);
    const isSetBack = seen !== undefined && seen.lineage === meta.lineage && BigInt(meta.head) < BigInt(seen.head);
    if (!meta.isOther && !isSetBack) return false;
    const lineage = await startNewTimeline(sql);
    log.warn({ before: meta.before, now, lineage }, 'the database was restored or has moved: every device begins anew, and sends what it still holds');
    return true;

    async function readLife(): Promise<string | null> {
      return (await rawSql<{ life: string | null }>`select sync.database_life() as life`.execute(sql)).rows[0]?.life ?? null;
    }
  });
}
