import { sql as rawSql } from 'kysely';
import { day, minute } from '../../../shared/lib/durations.ts';
import { mutationNames } from '../../../shared/mutations/index.ts';
import type { Database } from '../../db/database.ts';

export interface SyncOverview {
  /** Of the whole cluster: instances share the database. */
  devices: { lastFiveMinutes: number; lastDay: number; known: number; people: number };
  /** Decided in the last 24 hours. */
  mutations: { name: string; status: string; code: string | null; count: number }[];
  /** Waiting for an operator. */
  parked: number;
  /** Failing, and tried again within the last hour: a phone waits five minutes at most, and one that is gone never comes to an end. */
  failing: number;
  headVersion: string;
  tombstoneFloor: string;
  lineage: string;
  /** Rows of the change table, how many of them are removals, and what it takes on the disk with its indexes. */
  changeTable: { rows: number; removals: number; bytes: number };
  /** Effects (mails) still to be done, whether waiting for their first or their next attempt; seconds since the oldest came; those given up in the last 24 hours. */
  effects: { waiting: number; oldestSeconds: number; givenUp: number };
  /** When each retention job last finished. */
  retention: { job: string; finishedAt: Date; removed: number }[];
}

/** The state of sync, from the database. One read transaction. */
export function readSyncOverview(database: Database, now: Date): Promise<SyncOverview> {
  const before = (ms: number) => new Date(now.getTime() - ms);
  return database.transaction(
    async (sql) => {
      const one = async <T>(query: ReturnType<typeof rawSql<T>>): Promise<T> => (await query.execute(sql)).rows[0]!;
      const devices = await one(rawSql<
        SyncOverview['devices']
      >`select (count(*) filter (where last_at > ${before(5 * minute)}))::int as "lastFiveMinutes",
      (count(*) filter (where last_at > ${before(day)}))::int as "lastDay", count(*)::int as known, count(distinct user_id)::int as people from sync_device`);
      const { rows: mutations } = await rawSql<
        SyncOverview['mutations'][number]
      >`select case when name = any(${mutationNames}::text[]) then name else 'unknown' end as name, status, outcome ->> 'code' as code, count(*)::int as count from sync_mutation
      where at > ${before(day)} and status <> 'claimed' group by 1, 2, 3 order by 4 desc, 1, 2, 3 limit 100`.execute(
        sql,
      );
      const rest = await one(rawSql<
        Omit<SyncOverview, 'devices' | 'mutations' | 'changeTable' | 'effects' | 'retention'>
      >`select
      (select count(*)::int from sync_parked where replayed_at is null and discarded_at is null) as parked, (select count(*)::int from sync_attempt where last_at > ${before(60 * minute)}) as failing,
      lineage, tombstone_floor as "tombstoneFloor", greatest(tombstone_floor, (select max(version) from sync_change)) as "headVersion" from sync_meta`);
      const changeTable = await one(rawSql<
        SyncOverview['changeTable']
      >`select count(*)::int as rows, (count(*) filter (where deleted))::int as removals,
      pg_total_relation_size('sync_change')::float8 as bytes from sync_change`);
      const effects = await one(rawSql<
        SyncOverview['effects']
      >`select (count(*) filter (where done_at is null))::int as waiting,
      coalesce(extract(epoch from ${now}::timestamptz - min(at) filter (where done_at is null)), 0)::float8 as "oldestSeconds",
      (count(*) filter (where done_at > ${before(day)} and last_error is not null))::int as "givenUp" from effect`);
      const { rows: retention } = await rawSql<
        SyncOverview['retention'][number]
      >`select job, finished_at as "finishedAt", removed::int as removed from retention_run order by job`.execute(sql);
      return { devices, mutations, ...rest, changeTable, effects, retention };
    },
    { mode: 'snapshot' },
  );
}
