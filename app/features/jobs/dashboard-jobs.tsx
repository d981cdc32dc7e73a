import { useEffect, useMemo, useRef } from 'react';
import { formatMoney } from '../../../shared/lib/money.ts';
import type { Job } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { placeWords, type ReferenceLists } from '../../lib/reference-lists.ts';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import { fileSrc, markMissing } from '../../lib/file-src.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardLink } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { formatTimeOrDay } from '../../words/dates.ts';
import {
  jobState,
  photosNotAdded,
  rejectedPhotosOf,
  type ItemState,
  type UnsyncedNow,
} from '../../words/item-state.ts';
import { count } from '../../words/common-words.ts';
import styles from './dashboard-jobs.module.css';
import { UrgencyBadge } from '../../parts/urgency-badge.tsx';

type DashboardJobsProps = {
  readonly kind: 'posted' | 'interested';
  readonly jobs: readonly Job[];
  /**
   * When the server took what this person did with the job in the last day; before that, when the job or the interest
   * was made. ISO instant.
   */
  readonly sentAt: (job: Job) => string | undefined;
  /** Has its homeowner seen this person's interest? Left out for one's own jobs. */
  readonly isSeen?: (job: Job) => boolean;
  /** `undefined`: it could not be read, and no count is shown. */
  readonly onItsWay: UnsyncedNow | undefined;
  /** This list is what the person most comes for: where it is empty, what fills it is the button that acts. */
  readonly isMain: boolean;
  /** The newest was made just now: it comes into the window, and has the focus. */
  readonly showsNewest?: boolean;
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
export function DashboardJobs({
  kind,
  jobs,
  sentAt,
  isSeen = () => false,
  onItsWay,
  isMain,
  showsNewest = false,
}: DashboardJobsProps) {
  const { heading, empty, text, href, button } = says[kind];
  const lists = useReference();
  const newestFirst = useMemo(() => jobs.toSorted((one, other) => (one.createdAt < other.createdAt ? 1 : -1)), [jobs]);
  const list = useRef<HTMLUListElement>(null);
  // What takes the focus is moved into the window.
  useEffect(() => {
    if (showsNewest) list.current?.querySelector('a')?.focus();
  }, [showsNewest]);
  return (
    <section className={styles.section} aria-labelledby={`jobs-${kind}`}>
      <h2 id={`jobs-${kind}`}>
        {heading} ({jobs.length})
      </h2>
      {jobs.length === 0 ? (
        <EmptyState
          level={3}
          title={empty}
          picture={isMain ? 'empty' : null}
          action={
            <LinkButton href={href} variant={isMain ? 'primary' : 'quiet'}>
              {button}
            </LinkButton>
          }
        >
          <p>{text}</p>
        </EmptyState>
      ) : (
        <ul ref={list} role="list" className={styles.list}>
          {newestFirst.map((job) => (
            <li key={job.id}>
              <DashboardJob
                job={job}
                lists={lists}
                isOwn={kind === 'posted'}
                sentAt={sentAt(job)}
                isSeen={isSeen(job)}
                state={onItsWay === undefined ? undefined : jobState(job.id, job.images.length, onItsWay)}
                notAdded={onItsWay === undefined ? undefined : photosNotAdded(rejectedPhotosOf(job.id, onItsWay))}
              />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

type DashboardJobProps = {
  readonly job: Job;
  readonly lists: ReferenceLists;
  readonly isOwn: boolean;
  readonly isSeen: boolean;
  readonly sentAt: string | undefined;
  readonly state: ItemState | undefined;
  readonly notAdded: string | undefined;
};

/** One job on the dashboard, with one state: what is still on its way says more than what it will be. */
function DashboardJob({ job, lists, isOwn, isSeen, sentAt, state, notAdded }: DashboardJobProps) {
  const { now } = useApp();
  const isActive = job.status === 'active';
  return (
    <Card as="article" isRow>
      <div className={styles.row}>
        <span className={styles.thumb}>
          {job.images[0] !== undefined && (
            <img src={fileSrc(job.images[0])} alt="" loading="lazy" decoding="async" {...markMissing} />
          )}
          <Icon name="image" />
        </span>
        <h3 className={styles.title}>
          <CardLink href={`/job/${job.id}`}>{job.title}</CardLink>
        </h3>
        <p className={styles.place}>{placeWords(lists, job)}</p>
        <div className={styles.terms}>
          <p className={styles.money}>
            {job.budgetMax === null ? 'No budget given' : `Max Budget: ${formatMoney(job.budgetMax)}`}
          </p>
          <UrgencyBadge urgency={job.urgency} />
        </div>
        <div className={styles.state}>
          {state === undefined ? <Standing isActive={isActive} /> : <ItemStateBadge state={state} />}
          <p className={styles.news}>
            {/* What went out by itself is learnt here; from a day on it is when the job was posted, or the interest expressed. */}
            {state === undefined && sentAt !== undefined && <span>Sent {formatTimeOrDay(sentAt, now())}</span>}
            {isOwn && isActive && job.interestCount > 0 && <span>{count(job.interestCount, 'tradie')} interested</span>}
            {state === undefined && isSeen && <span>Seen by the homeowner</span>}
            {notAdded !== undefined && <span className={styles.notAdded}>{notAdded}</span>}
          </p>
        </div>
      </div>
    </Card>
  );
}

/** What is usual is said quietly: a mark on every row would mark none. */
function Standing({ isActive }: { readonly isActive: boolean }) {
  return isActive ? <span className={styles.active}>active</span> : <Badge>Closed</Badge>;
}
