import { sql as rawSql } from 'kysely';
import { Rejection } from '../../shared/mutations/rejection.ts';
import type { Tx } from '../../shared/mutations/tx.ts';
import type { Sql } from '../db/database.ts';

const asPeopleSayIt = new Intl.DateTimeFormat('en-NZ', {
  timeZone: 'Pacific/Auckland',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: 'numeric',
  minute: '2-digit',
});

/**
 * The verbs, with a limit on jobs posted in 24 hours; closing one frees nothing. Counted by the database's clock, from the jobs that are
 * there when the first is posted and those posted since in this transaction, in which the person's row is locked. The rejection
 * `too-many-jobs` says from when the next may be posted.
 */
export function limitJobs(tx: Tx, sql: Sql, userId: string, jobsPerDay: number | undefined): Tx {
  if (jobsPerDay === undefined) return tx;
  let room: Promise<number> | undefined;
  let taken = 0;
  const insert: Tx['jobs']['insert'] = async (row) => {
    room ??= countLately(sql, userId).then((posted) => jobsPerDay - posted);
    if (taken >= (await room)) throw await tooMany(sql, userId, jobsPerDay);
    await tx.jobs.insert(row);
    taken += 1;
  };
  return { ...tx, jobs: { ...tx.jobs, insert } };
}

const lately = rawSql`created_at > now() - interval '24 hours'`;

async function countLately(sql: Sql, userId: string): Promise<number> {
  const { rows } = await rawSql<{
    posted: number;
  }>`select count(*)::int as posted from jobs where user_id = ${userId} and ${lately}`.execute(sql);
  return rows[0]?.posted ?? 0;
}

async function tooMany(sql: Sql, userId: string, jobsPerDay: number): Promise<Rejection> {
  // A place is free again when the oldest of the last so many is a day old; where all were posted just now, in a day.
  const { rows } = await rawSql<{
    again: Date;
  }>`select coalesce((select created_at from jobs where user_id = ${userId} and ${lately}
    order by created_at desc offset ${jobsPerDay - 1} limit 1), (select min(created_at) from jobs where user_id = ${userId} and ${lately}), now()) + interval '24 hours' as again`.execute(
    sql,
  );
  const again = asPeopleSayIt.format(rows[0]?.again);
  return new Rejection(
    'too-many-jobs',
    `You can post ${jobsPerDay} jobs in 24 hours. You can post the next one from ${again}. What you wrote is kept.`,
  );
}
