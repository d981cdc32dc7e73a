import { useState, type ReactNode } from 'react';
import { formatMoney } from '../../../shared/lib/money.ts';
import { Badge } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { PhotoLightbox } from '../../ui/photo-lightbox.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { formatDay } from '../../words/dates.ts';
import type { JobFacts } from './job-facts.ts';
import styles from './job-view.module.css';
import { UrgencyBadge } from './urgency-badge.tsx';

type JobViewProps = {
  readonly job: JobFacts;
  readonly place: string;
  readonly category: string | undefined;
  /** Addresses to show; the job's own images unless photos of this phone are given. */
  readonly photos?: readonly string[];
  readonly onBack?: () => void;
  readonly badges?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  /** What this viewer can do about it: beside the job where there is room. */
  readonly answer?: ReactNode;
  /** What is under it. */
  readonly children?: ReactNode;
};

/** A job as every viewer sees it; who may do what is in the children. */
export function JobView({
  job,
  place,
  category,
  photos = job.images,
  onBack,
  badges,
  actions,
  answer,
  children,
}: JobViewProps) {
  const [enlarged, setEnlarged] = useState<number>();
  const pictures = photos.map((url, at) => ({ url, alt: `Photo ${at + 1} of ${job.title}` }));
  return (
    <Page title={job.title} width="wide" actions={actions} {...(onBack === undefined ? {} : { onBack })}>
      <div className={styles.badges}>
        <UrgencyBadge urgency={job.urgency} />
        {job.status === 'closed' && <Badge>Closed</Badge>}
        {badges}
      </div>
      <div className={styles.columns}>
        <dl className={styles.facts}>
          {job.budgetMax !== null && (
            <div>
              <dt>Max budget</dt>
              <dd className={styles.budget}>{formatMoney(job.budgetMax)}</dd>
            </div>
          )}
          <div>
            <dt>Location</dt>
            <dd>{place}</dd>
          </div>
          {category !== undefined && (
            <div>
              <dt>Category</dt>
              <dd>{category}</dd>
            </div>
          )}
          <div>
            <dt>Posted</dt>
            <dd>
              <time dateTime={job.createdAt}>{formatDay(job.createdAt)}</time>
            </dd>
          </div>
        </dl>
        <div className={styles.body}>
          <p className={styles.description}>{job.description}</p>
          <PhotoStrip photos={pictures} onEnlarge={setEnlarged} />
          <PhotoLightbox photos={pictures} index={enlarged} onIndexChange={setEnlarged} />
          {children}
        </div>
        <div className={styles.answer}>{answer}</div>
      </div>
    </Page>
  );
}
