import { formatMoney } from '../../../shared/lib/money.ts';
import { useWindowList } from '../../hooks/use-window-list.ts';
import { placeWords, type ReferenceLists } from '../../lib/reference-lists.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardLink } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { formatAge, formatDay } from '../../words/dates.ts';
import { isNewSince, type FeedJob } from './filter-jobs.ts';
import styles from './job-list.module.css';
import { UrgencyBadge } from './urgency-badge.tsx';

type JobListProps = {
  readonly jobs: readonly FeedJob[];
  readonly lists: ReferenceLists;
  readonly interestedIn: ReadonlySet<string>;
  /** ISO instant: what was posted later is new to this person; undefined where that is not known. */
  readonly since: string | undefined;
  /** ISO instant ages are counted from. */
  readonly now: string;
  /** An object that lives as long as this person's session context: the scroll position is kept by it. */
  readonly keeper: object;
};

const likelyHeight = 230;

/** Only the cards near the screen are in the page; each says which of how many it is. */
export function JobList({ jobs, lists, interestedIn, since, now, keeper }: JobListProps) {
  const { list, virtual, offsetOf } = useWindowList<HTMLUListElement>({
    rows: jobs.length,
    likelyHeight,
    keyOf: (at) => jobs[at]?.id ?? at,
    keeper,
  });
  return (
    <ul role="list" ref={list} className={styles.list} style={{ blockSize: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((item) => {
        const job = jobs[item.index];
        if (job === undefined) return null;
        return (
          <li
            key={item.key}
            ref={virtual.measureElement}
            data-index={item.index}
            aria-setsize={jobs.length}
            aria-posinset={item.index + 1}
            className={styles.item}
            style={{ transform: `translateY(${offsetOf(item)}px)` }}
          >
            <JobCard
              job={job}
              lists={lists}
              isInterested={interestedIn.has(job.id)}
              isNew={isNewSince(job, since)}
              now={now}
            />
          </li>
        );
      })}
    </ul>
  );
}

type JobCardProps = {
  readonly job: FeedJob;
  readonly lists: ReferenceLists;
  readonly isInterested: boolean;
  readonly isNew: boolean;
  readonly now: string;
};

function JobCard({ job, lists, isInterested, isNew, now }: JobCardProps) {
  // From a month on the age is the day itself, which is shown already.
  const age = formatAge(job.createdAt, now);
  return (
    <Card as="article">
      <div className={styles.card}>
        <div className={styles.words}>
          <div className={styles.head}>
            <h2 className={styles.title}>
              <CardLink href={`/job/${job.id}`}>{job.title}</CardLink>
            </h2>
            {job.budgetMax !== null && (
              <dl className={styles.budget}>
                <dt>Max budget</dt>
                <dd>{formatMoney(job.budgetMax)}</dd>
              </dl>
            )}
          </div>
          <dl className={styles.facts}>
            <div>
              <dt>
                <VisuallyHidden>Location</VisuallyHidden>
              </dt>
              <dd>
                <Icon name="pin" size="sm" />
                {placeWords(lists, job)}
              </dd>
            </div>
            <div>
              <dt>
                <VisuallyHidden>Posted</VisuallyHidden>
              </dt>
              <dd>
                <Icon name="calendar" size="sm" />
                <span>
                  <time dateTime={job.createdAt}>{formatDay(job.createdAt)}</time>
                  {age !== formatDay(job.createdAt) && <span className={styles.age}>, {age}</span>}
                </span>
              </dd>
            </div>
          </dl>
          <p className={styles.description}>{job.description}</p>
          <div className={styles.badges}>
            {isNew && <Badge tone="accent">New</Badge>}
            <UrgencyBadge urgency={job.urgency} />
            {isInterested && (
              <Badge tone="good" icon="check">
                Interest Expressed
              </Badge>
            )}
          </div>
        </div>
        {job.images.length > 0 && (
          <div className={styles.photos}>
            <PhotoStrip limit={3} photos={job.images.map((url) => ({ url, alt: '' }))} />
          </div>
        )}
      </div>
    </Card>
  );
}
