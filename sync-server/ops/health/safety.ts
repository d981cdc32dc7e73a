import { sql as rawSql } from 'kysely';
import { day } from '../../../shared/lib/durations.ts';
import type { Database } from '../../db/database.ts';
import { readLastSafePoint, type SafeSource } from '../../store/safe-point.ts';

export interface Safety {
  /** What lets a change outlive the loss of the database; null: nothing does. */
  by: SafeSource | null;
  /** What was decided by then is safe; null where nothing is. */
  safeSince: Date | null;
  /** Changes applied since, or all of the last 30 days where nothing is safe: longer no phone keeps any. */
  notSafe: number;
  /** The last restore; null where there was none. */
  restore: {
    at: Date;
    /** Up to which version it has the timeline before. */
    point: string;
    /**
     * Changes that devices sent again: how many, and what became of them; from how many devices and people. A device
     * asks for a hundred at a time of what waits, each with those before it about the same row: of more about one row
     * the rest is never heard of while it waits.
     */
    sentAgain: {
      applied: number;
      refused: number;
      parked: number;
      waitingAtLeast: number;
      devices: number;
      people: number;
    };
    /** Of the devices known from before, how many have not been heard of since: they may hold more. */
    unheard: { devices: number; known: number };
  } | null;
}

/** How much is safe, and what came back after the last restore. From the database, of all instances. */
export function readSafety(database: Database, now: Date, by: SafeSource | undefined): Promise<Safety> {
  return database.transaction(
    async (sql) => {
      const safe = by === undefined ? undefined : await readLastSafePoint(sql, by);
      const from = safe?.at ?? new Date(now.getTime() - 30 * day);
      const { count } = await sql
        .selectFrom('sync_mutation')
        .select((eb) => rawSql<number>`${eb.fn.countAll()}::int`.as('count'))
        .where('status', '=', 'applied')
        .where('at', '>', from)
        .executeTakeFirstOrThrow();
      const { rows } = await rawSql<{
        at: Date;
        point: string;
        applied: number;
        refused: number;
        parked: number;
        waiting: number;
        devices: number;
        people: number;
        unheard: number;
        known: number;
      }>`select begun.began_at as at, begun.point, again.*, heard.* from sync_timeline begun
        join sync_meta meta on meta.lineage = begun.lineage,
        lateral (select count(*) filter (where became = 'applied')::int as applied, count(*) filter (where became = 'refused')::int as refused,
          count(*) filter (where became = 'parked')::int as parked, count(*) filter (where became = 'restoring')::int as waiting,
          count(distinct device)::int as devices, count(distinct user_id)::int as people
          from sync_sent_again where last_at >= begun.began_at and version is not null) again,
        lateral (select count(*) filter (where last_at < begun.began_at)::int as unheard, count(*)::int as known
          from sync_device where first_at < begun.began_at) heard`.execute(sql);
      const [row] = rows;
      return {
        by: by ?? null,
        safeSince: safe?.at ?? null,
        notSafe: count,
        restore:
          row === undefined
            ? null
            : {
                at: row.at,
                point: row.point,
                sentAgain: {
                  applied: row.applied,
                  refused: row.refused,
                  parked: row.parked,
                  waitingAtLeast: row.waiting,
                  devices: row.devices,
                  people: row.people,
                },
                unheard: { devices: row.unheard, known: row.known },
              },
      };
    },
    { mode: 'snapshot' },
  );
}
