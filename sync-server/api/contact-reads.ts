import { sql as rawSql } from 'kysely';
import { hour } from '../../shared/lib/durations.ts';
import type { Database, Sql } from '../db/database.ts';
import { tooMany } from '../http/http-problem.ts';

export interface ContactReads {
  /**
   * Records who reads whose contact details, and when; never the details (Privacy Act 2020). Those of tradies who expressed interest in a
   * job of the reader's do not count towards the limit.
   *
   * @throws HttpProblem 429 past the limit of different tradies an hour: so that contacts cannot be collected in bulk.
   */
  note(readerId: string, tradieIds: readonly string[]): Promise<void>;
}

export const tradiesAnHour = 100;

export function createContactReads({ database, clock }: { database: Database; clock: () => Date }): ContactReads {
  return {
    note: (readerId, tradieIds) =>
      database.transaction(async (sql) => {
        if (tradieIds.length === 0) return;
        const now = clock();
        // One after the other for each reader: many at once would each see the limit not yet reached.
        await rawSql`select pg_advisory_xact_lock(hashtextextended(${`contact-reads:${readerId}`}, 0))`.execute(sql);
        await write(sql, readerId, tradieIds, now);
        const since = new Date(now.getTime() - hour);
        const { rows } = await rawSql<{
          opened: number;
        }>`select count(distinct read.tradie_id)::int as opened from contact_read read
        where reader_id = ${readerId} and last_at > ${since}
        and not exists (select 1 from interests i where i.tradie_id = read.tradie_id and i.owner_id = ${readerId})`.execute(
          sql,
        );
        if ((rows[0]?.opened ?? 0) > tradiesAnHour)
          throw tooMany(3_600, 'You have opened a lot of profiles this hour. Try again later.');
      }),
  };
}

async function write(sql: Sql, readerId: string, tradieIds: readonly string[], now: Date): Promise<void> {
  await rawSql`insert into contact_read (reader_id, tradie_id, day, first_at, last_at, reads)
    select ${readerId}::uuid, tradie_id, (${now}::timestamptz at time zone 'UTC')::date, ${now}, ${now}, 1 from unnest(${[...tradieIds]}::uuid[]) as tradie_id
    on conflict (reader_id, tradie_id, day) do update set last_at = excluded.last_at, reads = contact_read.reads + 1`.execute(
    sql,
  );
}
