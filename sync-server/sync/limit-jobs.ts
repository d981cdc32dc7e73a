import { Rejection } from '../../shared/mutations/rejection.ts';
import type { Tx } from '../../shared/mutations/tx.ts';
import type { SyncTx } from '../store/sync-store.ts';

const asPeopleSayIt = new Intl.DateTimeFormat('en-NZ', {
  timeZone: 'Pacific/Auckland',
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: 'numeric',
  minute: '2-digit',
});

/**
 * The verbs, with a limit on jobs posted in 24 hours; closing one frees nothing. Counted by the database's clock, from
 * the jobs that are there when the first is posted and those posted since in this transaction, in which the person's
 * row is locked. The rejection
 * `too-many-jobs` says from when the next may be posted.
 */
export function limitJobs(tx: Tx, store: SyncTx, userId: string, jobsPerDay: number | undefined): Tx {
  if (jobsPerDay === undefined) return tx;
  let room: Promise<number> | undefined;
  let taken = 0;
  const insert: Tx['jobs']['insert'] = async (row) => {
    room ??= store.countLatelyPosted(userId).then((posted) => jobsPerDay - posted);
    if (taken >= (await room)) throw tooMany(jobsPerDay, await store.nextPostAt(userId, jobsPerDay));
    await tx.jobs.insert(row);
    taken += 1;
  };
  return { ...tx, jobs: { ...tx.jobs, insert } };
}

function tooMany(jobsPerDay: number, nextAt: Date): Rejection {
  return new Rejection(
    'too-many-jobs',
    `You can post ${jobsPerDay} jobs in 24 hours. You can post the next one from ${asPeopleSayIt.format(nextAt)}. What you wrote is kept.`,
  );
}
