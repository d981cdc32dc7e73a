import { memo, type MouseEvent } from 'react';
import { formatMoney } from '../../../shared/lib/money.ts';
import { placeWords, type ReferenceLists } from '../../lib/reference-lists.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardLink } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { isPlainClick } from '../../ui/text-link.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { formatAge } from '../../words/dates.ts';
import type { FeedJob } from './filter-jobs.ts';
import styles from './job-card.module.css';
import words from './job-card-words.module.css';
import { UrgencyBadge } from '../../parts/urgency-badge.tsx';

type JobCardProps = {
  readonly job: FeedJob;
  readonly lists: ReferenceLists;
  /** How far it is from this tradie, where that is known. */
  readonly distance: string | undefined;
  readonly isInterested: boolean;
  readonly isNew: boolean;
  readonly now: string;
  /** It is saved for later. */
  readonly isShortlisted?: boolean;
  /** Saves it for later, or takes it off; left out, the card offers neither. */
  readonly onToggleShortlisted?: ((job: FeedJob) => void) | undefined;
  /** It is open beside the list. */
  readonly isChosen: boolean;
  /** Opens it beside the list; left out, its own page opens. */
  readonly onChoose: ((id: string) => void) | undefined;
};

/**
 * A job in the list: the trade first, then how old it is, where and how far, what, for how much, how urgent, and how
 * many are interested.
 */
export const JobCard = memo(function JobCard({
  job,
  lists,
  distance,
  isInterested,
  isNew,
  now,
  isChosen,
  onChoose,
  isShortlisted = false,
  onToggleShortlisted,
}: JobCardProps) {
  const choose = (event: MouseEvent) => {
    if (onChoose === undefined || !isPlainClick(event)) return;
    event.preventDefault();
    onChoose(job.id);
  };
  return (
    <Card as="article" isRow>
      <div className={styles.card} data-chosen={isChosen || undefined} data-interested={isInterested || undefined}>
        <p className={words.kick}>
          <span className={words.trade}>{lists.categoryName(job.categoryId)}</span>{' '}
          <time dateTime={job.createdAt}>{formatAge(job.createdAt, now)}</time>{' '}
          {isNew && <Badge tone="good">New</Badge>}
        </p>
        <h2 className={words.title}>
          <CardLink href={`/job/${job.id}`} onClick={choose} aria-current={isChosen ? 'true' : undefined}>
            {job.title}
          </CardLink>
        </h2>
        <p className={words.place}>
          <Icon name="pin" size="sm" />
          <VisuallyHidden>Location: </VisuallyHidden>
          <span className={words.town}>{placeWords(lists, job)}</span>
          {distance !== undefined && <span className={words.distance}>{distance}</span>}
        </p>
        <p className={words.description}>{job.description}</p>
        <p className={words.money}>
          {job.budgetMax === null ? (
            <span className={words.soft}>No budget given</span>
          ) : (
            <>
              <VisuallyHidden>Max budget: </VisuallyHidden>
              <span>{formatMoney(job.budgetMax)}</span> <span className={words.soft}>max</span>
            </>
          )}
        </p>
        <div className={words.urgency}>
          <UrgencyBadge urgency={job.urgency} />
        </div>
        <p className={words.interest}>
          {isInterested && (
            <Badge tone="good" icon="check">
              Interest Expressed
            </Badge>
          )}{' '}
          {isInterested ? (
            <VisuallyHidden>{`${job.interestCount} interested`}</VisuallyHidden>
          ) : (
            <span className={words.said}>{`${job.interestCount} interested`}</span>
          )}
          <span className={isInterested ? words.sign : words.short} aria-hidden="true">
            <Icon name="user" size="sm" /> {job.interestCount}
          </span>
        </p>
        {onToggleShortlisted !== undefined && (
          <button
            type="button"
            className={styles.later}
            aria-pressed={isShortlisted}
            aria-label={`Save for later: ${job.title}`}
            title="Save for later"
            onClick={() => onToggleShortlisted(job)}
          >
            <Icon name="bookmark" />
          </button>
        )}
        {job.images.length > 0 ? (
          <div className={styles.photos}>
            <PhotoStrip limit={3} photos={job.images.map((url) => ({ url, alt: '' }))} />
          </div>
        ) : (
          <span className={styles.none}>
            <Icon name="image" />
          </span>
        )}
      </div>
    </Card>
  );
});

/** The places of jobs that are still coming: as high as they will be, and as they will look. */
export function JobSkeletons({ label }: { readonly label: string }) {
  return (
    <div role="status" data-waiting="" className={styles.places}>
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: 6 }, (_, at) => (
        <Card key={at} isRow>
          <div className={styles.card}>
            <div className={words.kick}>
              <Skeleton width="short" />
            </div>
            <div className={words.title}>
              <Skeleton width="half" />
            </div>
            <div className={words.place}>
              <Skeleton width="short" />
            </div>
            <div className={words.coming}>
              <Skeleton />
              <Skeleton />
            </div>
            <div className={words.urgency}>
              <Skeleton width="half" />
            </div>
            <div className={styles.photos}>
              <div className={styles.noPhoto} />
            </div>
          </div>
        </Card>
      ))}
    </div>
  );
}
