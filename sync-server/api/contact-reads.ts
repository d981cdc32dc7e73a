import { hour } from '../../shared/lib/durations.ts';
import { lockOf } from '../db/advisory-locks.ts';
import type { Database, Sql } from '../db/database.ts';
import { tooMany } from '../http/http-problem.ts';

export interface ContactReads {
  /**
   * Records who reads whose contact details, and when; never the details (Privacy Act 2020). Those of tradies who
   * expressed interest in a job of the reader's do not count towards the limit.
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
        // Reads of one reader follow one another: many at once would each see the limit not yet reached.
        await lockOf.contactReads(readerId).execute(sql);
        await write(sql, readerId, tradieIds, now);
        const since = new Date(now.getTime() - hour);
        const { opened } = await sql
          .selectFrom('contact_read as read')
          .select((eb) => eb.cast<number>(eb.fn.count('read.tradie_id').distinct(), 'integer').as('opened'))
          .where('read.reader_id', '=', readerId)
          .where('read.last_at', '>', since)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('interests')
                  .select('interests.id')
                  .whereRef('interests.tradie_id', '=', 'read.tradie_id')
                  .where('interests.owner_id', '=', readerId),
              ),
            ),
          )
          .executeTakeFirstOrThrow();
        if (opened > tradiesAnHour)
          throw tooMany(3_600, 'You have opened a lot of profiles this hour. Try again later.');
      }),
  };
}

async function write(sql: Sql, readerId: string, tradieIds: readonly string[], now: Date): Promise<void> {
  const day = now.toISOString().slice(0, 10);
  await sql
    .insertInto('contact_read')
    .columns(['reader_id', 'tradie_id', 'day', 'first_at', 'last_at', 'reads'])
    .expression((insert) =>
      insert
        .selectFrom('tradies')
        .select((eb) => [
          eb.cast<string>(eb.val(readerId), 'uuid').as('reader_id'),
          'tradies.id as tradie_id',
          eb.cast<string>(eb.val(day), 'date').as('day'),
          eb.cast<Date>(eb.val(now), 'timestamptz').as('first_at'),
          eb.cast<Date>(eb.val(now), 'timestamptz').as('last_at'),
          eb.lit(1).as('reads'),
        ])
        .where((eb) => eb('tradies.id', '=', eb.fn.any(eb.val(tradieIds)))),
    )
    .onConflict((conflict) =>
      conflict.columns(['reader_id', 'tradie_id', 'day']).doUpdateSet((eb) => ({
        last_at: eb.ref('excluded.last_at'),
        reads: eb('contact_read.reads', '+', 1),
      })),
    )
    .execute();
}
