import { formatMoney } from '../../../shared/lib/money.ts';
import { placeWords, type ReferenceLists } from '../../lib/reference-lists.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardLink } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { formatAge, formatDay } from '../../words/dates.ts';
import type { FeedJob } from './filter-jobs.ts';
import styles from './job-card.module.css';
import { UrgencyBadge } from './urgency-badge.tsx';

type JobCardProps = {
  readonly job: FeedJob;
  readonly lists: ReferenceLists;
  readonly isInterested: boolean;
  readonly isNew: boolean;
  readonly now: string;
};

export function JobCard({ job, lists, isInterested, isNew, now }: JobCardProps) {
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
