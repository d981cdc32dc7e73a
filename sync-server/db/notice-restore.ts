import { sql as rawSql } from 'kysely';
import type { Log } from '../lib/log.ts';
import { advisoryLocks } from './advisory-locks.ts';
import { isOfOtherDatabase } from './database-identity.ts';
import type { Database } from './database.ts';
import { startNewTimeline } from './new-timeline.ts';
import { TimelineEnded, type TimelineSeen } from './timeline-fence.ts';

/** The latest position of the database that a server has seen. */
export interface Seen {
  timeline: string;
  /** A commit version. */
  head: string;
  /**
   * Up to which version the database has that timeline, where its head does not say: after it was put back it may have
   * been written to.
   */
  known?: string | undefined;
}

/** Does the database hold less of the same timeline than was seen of it? */
export const isBehind = (now: { timeline: string; head: string }, seen: Seen): boolean =>
  seen.timeline === now.timeline && BigInt(now.head) < BigInt(seen.head);

/** The head, of the row `meta` of sync_meta. */
const head = rawSql<string>`greatest(meta.tombstone_floor, (select max(version) from sync_change))`;

/** The database was restored to an earlier state while this server ran. The caller may retry, on the new timeline. */
export class DatabaseRestored extends Error {
  override name = 'DatabaseRestored';
  /** SQLSTATE "serialization failure": the same work can be tried again. */
  readonly code = '40001';
}

/**
 * Begins a new timeline where the PostgreSQL is another than the one these rows were last used on: a dump restored into
 * a new database, another cluster, or a timeline that began with a recovery or a failover; and where a server has
 * `seen` more than there is, as after its files were replaced by older ones (S5). Checked as a server starts, whenever
 * the poke reads the head (every 20 s at least), and at every exchange, before it decides; a commit in another
 * PostgreSQL begins one by itself (timeline-functions.ts). The embedded database is another one where its files are
 * others. What none of that shows (a dump restored over the same database, or a disk put back whole, while no server
 * ran) the first device shows that has seen more (S14), or the operator says by `npm run ops -- restored`.
 *
 * @returns whether this call began one; of several servers that notice, one does.
 * @throws TimelineEnded where a device has shown that a later timeline of this database answered.
 */
export async function noticeRestore(database: Database, log: Pick<Log, 'warn'>, seen?: Seen): Promise<boolean> {
  let begun: TimelineSeen | undefined;
  let isSuperseded = false;
  const isBegun = await database.transaction(async (sql) => {
    // The purge of removals locks the two in the same order.
    await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(sql);
    const { rows } = await rawSql<{
      before: string | null;
      timeline: string;
      head: string;
      isOther: boolean;
      isSuperseded: boolean;
    }>`
      select meta.life as before, meta.lineage as timeline, meta.later_version is not null as "isSuperseded", ${head} as head, ${isOfOtherDatabase} as "isOther"
      from sync_meta meta for update`.execute(sql);
    const [meta] = rows;
    if (meta === undefined) throw new Error('this database has no sync_meta: it was never migrated');
    const now = await readDatabaseName();
    if (now === null && database.kind === 'postgres')
      log.warn('this user may not ask which PostgreSQL this is: after a restore, run `npm run ops -- restored`');
    if (now !== null && now !== meta.before) await rawSql`update sync_meta set life = ${now}`.execute(sql);
    const isSetBack = seen !== undefined && isBehind({ timeline: meta.timeline, head: meta.head }, seen);
    if (!meta.isOther && !isSetBack) {
      isSuperseded = meta.isSuperseded;
      return false;
    }
    const { timeline, previous, point } = await startNewTimeline(sql, isSetBack ? seen.known : undefined);
    begun = { timeline, ended: [previous] };
    log.warn(
      { before: meta.before, now, timeline, point },
      'the database was restored or has moved: every device begins anew, and sends what came after the point',
    );
    return true;

    async function readDatabaseName(): Promise<string | null> {
      return (
        (await rawSql<{ life: string | null }>`select sync.database_life() as life`.execute(sql)).rows[0]?.life ?? null
      );
    }
  });
  if (begun !== undefined) database.fence?.check(begun);
  if (isSuperseded) throw new TimelineEnded();
  return isBegun;
}

/**
 * A device has shown that a later timeline of this database answered it, up to that version (S14): it is not used any
 * more, by any server, until an operator says so (`npm run ops -- restored`).
 *
 * @param timeline The timeline that the database was read in, with a head below that version.
 * @throws TimelineEnded; DatabaseRestored where the database has another timeline by now, or has come as far: the
 * caller may ask again.
 */
export async function noticeLater(
  database: Database,
  log: Pick<Log, 'error'>,
  later: Seen,
  timeline: string,
): Promise<never> {
  const isRecorded = await database.transaction(async (sql) => {
    // No timeline begins, and no commit ends, between the question and its answer.
    await rawSql`select pg_advisory_xact_lock(${advisoryLocks.commit})`.execute(sql);
    const { rows } =
      await rawSql`update sync_meta meta set later_version = greatest(later_version, ${later.head}::bigint)
      where lineage = ${timeline} and ${head} < ${later.head}::bigint returning 1`.execute(sql);
    return rows.length > 0;
  });
  if (!isRecorded) throw new DatabaseRestored();
  log.error({ timeline, later }, 'this database is an earlier one: a later timeline has begun elsewhere');
  database.fence?.check({ timeline: later.timeline, ended: [timeline] });
  database.fence?.check({ timeline, ended: [] });
  throw new TimelineEnded();
}
