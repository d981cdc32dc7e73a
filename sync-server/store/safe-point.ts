import { sql as rawSql } from 'kysely';
import { advisoryLocks } from '../db/advisory-locks.ts';
import type { Database, Sql } from '../db/database.ts';
import type { Log } from '../lib/log.ts';

/** What lets a change outlive the loss of the database: `SAFE_BY`. */
export const safeSources = ['backup', 'standby', 'archive'] as const;
export type SafeSource = (typeof safeSources)[number];

/** Everything below `version` of `timeline`, and all that was committed at `at`, is safe. */
export interface SafePoint {
  timeline: string;
  version: string;
  at: Date;
}

/** Is the log safe up to this position? Of the two sources that are asked; a backup says it itself. */
const isSafe = {
  // Without the right to see other sessions (pg_monitor) the columns are null, and nothing is safe.
  standby: (position: string) => rawSql<boolean>`exists (select from pg_stat_replication
    where sync_state in ('sync', 'quorum') and flush_lsn >= ${position}::pg_lsn)`,
  // Segments are archived in order. Names of another kind (.partial, .backup) say nothing of what is whole.
  archive: (position: string) => rawSql<boolean>`exists (select from pg_stat_archiver
    where last_archived_wal ~ '^[0-9A-F]{24}$' and left(last_archived_wal, 8) = left(pg_walfile_name(${position}::pg_lsn), 8)
      and last_archived_wal >= pg_walfile_name(${position}::pg_lsn))`,
} as const;

export interface SafePoints {
  /**
   * The version below which everything of this timeline is safe, as it was last read; undefined where nothing is known
   * to be.
   */
  safe(timeline: string): string | undefined;
  /** Looks now. Of several servers one asks the source; all read what it found. */
  look(): Promise<void>;
  close(): void;
}

/** Milliseconds. */
const every = 30_000;

/** Looks every 30 s which changes are safe by now (S13). Without a source none ever is. */
export async function openSafePoints(
  database: Database,
  by: SafeSource | undefined,
  log: Pick<Log, 'warn'>,
): Promise<SafePoints> {
  let known: SafePoint | undefined;
  const look = async () => {
    if (by === undefined) return;
    if (by !== 'backup') await database.transaction((sql) => advance(sql, by));
    known = await readSafePoint(database.sql, by);
  };
  const tryToLook = () =>
    look().catch((error: unknown) =>
      log.warn({ err: error }, 'could not find out which changes are safe; trying again'),
    );
  await tryToLook();
  const timer = by === undefined ? undefined : setInterval(() => void tryToLook(), every).unref();
  return {
    safe: (timeline) => (known?.timeline === timeline ? known.version : undefined),
    look,
    close: () => clearInterval(timer),
  };
}

/** Moves what was watched to what is safe where it is by now, and watches what has been committed since. */
async function advance(sql: Sql, by: 'standby' | 'archive'): Promise<void> {
  const { rows: locked } = await rawSql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(${advisoryLocks.safe}) as mine`.execute(sql);
  if (locked[0]?.mine !== true) return;
  const { rows } = await rawSql<{
    position: string;
  }>`select position from sync_safe join sync_meta meta on meta.lineage = timeline
    where state = 'next' and by = ${by} and position is not null`.execute(sql);
  const watched = rows[0]?.position;
  if (watched !== undefined) {
    const { rows: asked } = await rawSql<{ safe: boolean }>`select ${isSafe[by](watched)} as safe`.execute(sql);
    if (asked[0]?.safe !== true) return;
    await rawSql`delete from sync_safe where state = 'safe'`.execute(sql);
    await rawSql`update sync_safe set state = 'safe' where state = 'next'`.execute(sql);
  }
  await rawSql`delete from sync_safe where state = 'next'`.execute(sql);
  // One statement: what is in its snapshot was written to the log before the position is read.
  await rawSql`insert into sync_safe (state, by, timeline, version, position, at)
    select 'next', ${by}, meta.lineage, greatest(meta.tombstone_floor, (select max(version) from sync_change)),
      pg_current_wal_insert_lsn()::text, now() from sync_meta meta`.execute(sql);
}

/** What is known to be safe in the database's timeline by this source. */
export async function readSafePoint(sql: Sql, by: SafeSource): Promise<SafePoint | undefined> {
  const { rows } = await rawSql<SafePoint>`select timeline, version, at from sync_safe
    join sync_meta meta on meta.lineage = timeline where state = 'safe' and by = ${by}`.execute(sql);
  return rows[0];
}

/**
 * The same for an operator. After a restore or a fail-over what was safe in the timeline before is so still, as far as
 * this database has it: it lies in that backup or archive. Phones go by the new timeline alone, and a standby that was
 * promoted is this database itself.
 */
export async function readLastSafePoint(sql: Sql, by: SafeSource): Promise<SafePoint | undefined> {
  const { rows } = await rawSql<SafePoint>`select timeline, version, at from sync_safe safe
    where state = 'safe' and by = ${by} and (exists (select from sync_meta meta where meta.lineage = safe.timeline)
      or (by <> 'standby' and exists (
        select from sync_timeline begun where begun.previous = safe.timeline and begun.point >= safe.version)))`.execute(
    sql,
  );
  return rows[0];
}

/** A backup was copied, and the copy read: what it holds is safe. An older one than is known changes nothing. */
export async function recordBackup(sql: Sql, { timeline, version, at }: SafePoint): Promise<void> {
  await rawSql`insert into sync_safe as known (state, by, timeline, version, at) values ('safe', 'backup', ${timeline}, ${version}, ${at})
    on conflict (state) do update set by = excluded.by, timeline = excluded.timeline, version = excluded.version, position = null, at = excluded.at
    where known.by <> excluded.by or known.timeline <> excluded.timeline or known.version < excluded.version`.execute(
    sql,
  );
}
