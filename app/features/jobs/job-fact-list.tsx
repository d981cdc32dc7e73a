import type { ReactNode } from 'react';
import { formatMoney } from '../../../shared/lib/money.ts';
import { formatDay } from '../../words/dates.ts';
import { count } from '../../words/common-words.ts';
import type { JobFacts } from './job-facts.ts';
import styles from './job-fact-list.module.css';
import { UrgencyBadge } from '../../parts/urgency-badge.tsx';

type JobFactListProps = {
  readonly job: JobFacts;
  readonly place: string;
  /** Further facts, each a `JobFact`. */
  readonly children?: ReactNode;
};

/** What decides, at a glance: the same for the owner and for everyone who reads it. */
export function JobFactList({ job, place, children }: JobFactListProps) {
  return (
    <dl className={styles.facts}>
      {job.budgetMax === null ? (
        <JobFact term="Max budget">No budget given</JobFact>
      ) : (
        <div>
          <dt>Max budget</dt>
          <dd className={styles.budget}>{formatMoney(job.budgetMax)}</dd>
        </div>
      )}
      <JobFact term="Urgency">
        <UrgencyBadge urgency={job.urgency} />
      </JobFact>
      <JobFact term="Location">{place}</JobFact>
      {children}
    </dl>
  );
}

export function JobFact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The facts that others than the owner see: since when, and how many have answered. */
export function PublicJobFacts({ job, place }: Pick<JobFactListProps, 'job' | 'place'>) {
  return (
    <JobFactList job={job} place={place}>
      <JobFact term="Posted">
        <time dateTime={job.createdAt}>{formatDay(job.createdAt)}</time>
      </JobFact>
      <JobFact term="Interested so far">
        {job.interestCount === 0 ? 'Nobody yet' : count(job.interestCount, 'tradie')}
      </JobFact>
    </JobFactList>
  );
}
