import { sql as rawSql } from 'kysely';
import type { Log } from '../lib/log.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { isOfOtherLife } from './database-life.ts';
import type { Database } from './database.ts';
import { startNewTimeline } from './new-timeline.ts';

/** The latest position of the database that a server has seen. */
export interface Seen {
  lineage: string;
  /** A commit version. */
  head: string;
}

/** Does the database hold less of the same timeline than was seen of it? */
export const isBehind = (now: { timeline: string; head: string }, seen: Seen): boolean =>
  seen.lineage === now.timeline && BigInt(now.head) < BigInt(seen.head);

/** The database was restored to an earlier state while this server ran. The caller may retry, on the new timeline. */
export class DatabaseRestored extends Error {
  override name = 'DatabaseRestored';
  /** SQLSTATE "serialization failure": the same work can be tried again. */
  readonly code = '40001';
}

/**
 * Begins a new timeline where the PostgreSQL is another than the one these rows were last used on: a dump restored into a new database,
 * another cluster, or a timeline that began with a recovery or a failover; and where a server has `seen` more than there is, as after its
 * files were replaced by older ones (S5). Checked as a server starts, whenever the poke reads the head (every 20 s at least), and at every
 * exchange, before it decides; a commit in another PostgreSQL begins one by itself (timeline-functions.ts). One case cannot be detected, a
 * dump restored over the same database while no server ran: there the operator runs `npm run ops -- restored`. The embedded database begins
 * one when it is restored.
 *
 * @returns whether this call began one; of several servers that notice, one does.
 */
export function noticeRestore(database: Database, log: Pick<Log, 'warn'>, seen?: Seen): Promise<boolean> {
  return database.transaction(async (sql) => {
    // In the order in which the purge of removals locks the two.
    await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(sql);
    const { rows } = await rawSql<{ before: string | null; lineage: string; head: string; isOther: boolean }>`
      select meta.life as before, meta.lineage, greatest(meta.tombstone_floor, (select max(version) from sync_change)) as head, ${isOfOtherLife} as "isOther"
      from sync_meta meta for update`.execute(sql);
    const [meta] = rows;
    if (meta === undefined) throw new Error('this database has no sync_meta: it was never migrated');
    const now = database.kind === 'postgres' ? await readLife() : null;
    if (now === null && database.kind === 'postgres')
      log.warn('this user may not ask which PostgreSQL this is: after a restore, run `npm run ops -- restored`');
    if (now !== null && now !== meta.before) await rawSql`update sync_meta set life = ${now}`.execute(sql);
    const isSetBack = seen !== undefined && isBehind({ timeline: meta.lineage, head: meta.head }, seen);
    if (!meta.isOther && !isSetBack) return false;
    const { lineage, point } = await startNewTimeline(sql);
    log.warn(
      { before: meta.before, now, lineage, point },
      'the database was restored or has moved: every device begins anew, and sends what came after the point',
    );
    return true;

    async function readLife(): Promise<string | null> {
      return (
        (await rawSql<{ life: string | null }>`select sync.database_life() as life`.execute(sql)).rows[0]?.life ?? null
      );
    }
  });
}
