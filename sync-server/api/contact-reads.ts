import { sql as rawSql } from 'kysely';
import type { Database } from '../db/database.ts';
import { tooMany } from '../http/http-problem.ts';

export interface ContactReads {
  /**
   * Writes down who read whose contact details, and when; never the details (product.md section 3, Privacy Act 2020).
   *
   * @throws 429 past the limit of different tradies an hour: contacts do not travel in bulk.
   */
  note(readerId: string, tradieIds: readonly string[]): Promise<void>;
}

const tradiesAnHour = 100;

export function createContactReads({ database, clock }: { database: Database; clock: () => Date }): ContactReads {
  return {
    note: async (readerId, tradieIds) => {
      if (tradieIds.length === 0) return;
      const now = clock();
      const since = new Date(now.getTime() - 3_600_000);
      const { rows } = await rawSql<{ others: number }>`select count(*)::int as others from contact_read
        where reader_id = ${readerId} and last_at > ${since} and tradie_id <> all(${[...tradieIds]}::uuid[])`.execute(database.sql);
      if ((rows[0]?.others ?? 0) + tradieIds.length > tradiesAnHour) {
        throw tooMany(3_600, 'You have opened a lot of profiles this hour. Try again later.');
      }
      await rawSql`insert into contact_read (reader_id, tradie_id, day, first_at, last_at, reads)
        select ${readerId}::uuid, tradie_id, ${now}::timestamptz::date, ${now}, ${now}, 1 from unnest(${[...tradieIds]}::uuid[]) as tradie_id
        on conflict (reader_id, tradie_id, day) do update set last_at = excluded.last_at, reads = contact_read.reads + 1`.execute(database.sql);
    },
  };
}
