import { useMemo } from 'react';
import type { Job } from '../../../shared/tables/index.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { jobState, type UnsyncedNow } from '../../words/item-state.ts';
import { DashboardJob } from './dashboard-job.tsx';
import styles from './dashboard-jobs.module.css';

type DashboardJobsProps = {
  readonly kind: 'posted' | 'interested';
  readonly jobs: readonly Job[];
  /** `undefined`: it could not be read, and no count is shown. */
  readonly onItsWay: UnsyncedNow | undefined;
};

const says = {
  posted: {
    heading: 'Your Posted Jobs',
    empty: 'You have not posted a job yet',
    text: 'Tell tradies what needs doing. It is free.',
    href: '/post-job',
    button: 'Post Your First Job',
  },
  interested: {
    heading: 'Your Interested Jobs',
    empty: 'You have not expressed interest yet',
    text: 'When you do, the job stays here, also once it is closed.',
    href: '/find-jobs',
    button: 'Browse Jobs',
  },
} as const;

/** 'Your Posted Jobs (n)' and 'Your Interested Jobs (n)'. */
export function DashboardJobs({ kind, jobs, onItsWay }: DashboardJobsProps) {
  const { heading, empty, text, href, button } = says[kind];
  const lists = useReference();
  const newestFirst = useMemo(() => jobs.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)), [jobs]);
  return (
    <section className={styles.section} aria-labelledby={`jobs-${kind}`}>
      <h2 id={`jobs-${kind}`}>
        {heading} ({jobs.length})
      </h2>
      {jobs.length === 0 ? (
        <EmptyState
          level={3}
          title={empty}
          action={
            <LinkButton href={href} variant="primary">
              {button}
            </LinkButton>
          }
        >
          <p>{text}</p>
        </EmptyState>
      ) : (
        <ul role="list" className={styles.list}>
          {newestFirst.map((job) => (
            <li key={job.id}>
              <DashboardJob
                job={job}
                lists={lists}
                isOwn={kind === 'posted'}
                state={onItsWay === undefined ? undefined : jobState(job.id, job.images.length, onItsWay)}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
