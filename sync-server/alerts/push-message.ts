import type { PushedJob } from '../../shared/protocol/push-message.ts';
import { pathOf } from '../../shared/routes.ts';
import { maxPushBytes, type PushMessageBody } from '../../shared/protocol/push-message.ts';
import { formatMoney } from '../../shared/lib/money.ts';
import { quoted } from '../mail/quoted.ts';

interface Reader {
  userId: string;
  feed: PushMessageBody['notification']['data']['feed'];
  /** Origin people reach the product at. */
  origin: string;
}

/** A job as an alert brings it, and where it is, in words. */
export interface AlertedJob {
  row: PushedJob;
  place: string;
  /** The feed's version at which it last changed. */
  version: string;
}

export interface AlertedInterest {
  jobId: string;
  jobTitle: string;
  businessName: string;
}

/** "A tradie is interested", to the job's owner; several at once say how many. */
export function interestMessage({ userId, origin, feed }: Reader, interests: readonly AlertedInterest[]): string {
  const [first] = interests;
  if (first === undefined) throw new Error('nothing to tell');
  const jobIds = new Set(interests.map(({ jobId }) => jobId));
  return withinLimit({
    web_push: 8030,
    notification: {
      title: interests.length === 1 ? 'A tradie is interested' : `${interests.length} tradies are interested`,
      body:
        jobIds.size > 1
          ? `In ${jobIds.size} of your jobs.`
          : `${first.jobTitle}: ${interests.map(({ businessName }) => quoted(businessName)).join(', ')}`,
      navigate: jobIds.size > 1 ? origin + pathOf('/dashboard') : origin + pathOf('/job/$id', first.jobId),
      tag: `interest-${first.jobId}`,
      lang: 'en-NZ',
      data: { for: userId, kind: 'interest', feed, jobs: [] },
    },
  });
}

/** New jobs that a tradie looks for, the jobs themselves with it as far as they fit. */
export function jobMessage({ userId, origin, feed }: Reader, jobs: readonly AlertedJob[]): string {
  const [first] = jobs;
  if (first === undefined) throw new Error('nothing to tell');
  const one = jobs.length === 1;
  return withinLimit({
    web_push: 8030,
    notification: {
      title: one ? first.row.title : `${jobs.length} new jobs for you`,
      body: one ? factsOf(first) : jobs.map(({ row }) => row.title).join(', '),
      navigate: one ? origin + pathOf('/job/$id', first.row.id) : origin + pathOf('/find-jobs'),
      tag: `job-${first.row.id}`,
      lang: 'en-NZ',
      data: {
        for: userId,
        kind: 'job',
        feed,
        jobs: jobs.map(({ row }) => row),
        versions: jobs.map(({ version }) => version),
      },
    },
  });
}

/** `Winton, Southland · Up to $1,200`. */
export function factsOf({ row, place }: AlertedJob): string {
  const budget = row.budgetMax === null ? 'No budget named' : `Up to ${formatMoney(row.budgetMax)}`;
  return [place, budget].filter((part) => part !== '').join(' · ');
}

const sizeOf = (message: PushMessageBody) => Buffer.byteLength(JSON.stringify(message));

const shorten = (text: string, letters: number) => {
  const all = Array.from(text);
  return all.length <= letters ? text : `${all.slice(0, letters).join('').trimEnd()}…`;
};

/**
 * What does not fit is left out: the photos' addresses, then the ends of the descriptions, then jobs from the end. The
 * app asks for all of it when it has signal.
 */
function withinLimit({ notification, ...message }: PushMessageBody): string {
  const body = shorten(notification.body, 240);
  const { jobs: all, versions } = notification.data;
  const withJobs = (jobs: PushMessageBody['notification']['data']['jobs']): PushMessageBody => ({
    ...message,
    notification: {
      ...notification,
      body,
      data: { ...notification.data, jobs, ...(versions && { versions: versions.slice(0, jobs.length) }) },
    },
  });
  const cuts = [Infinity, 2_000, 1_000, 500, 250].map((letters) =>
    all.map((job) => ({ ...job, images: [], description: shorten(String(job['description'] ?? ''), letters) })),
  );
  const fewer = all.map((_job, at) => cuts.at(-1)!.slice(0, -1 - at));
  const fitting = [all, ...cuts, ...fewer].map(withJobs).find((cut) => sizeOf(cut) <= maxPushBytes);
  return JSON.stringify(fitting ?? withJobs([]));
}
