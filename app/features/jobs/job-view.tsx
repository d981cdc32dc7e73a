import { useEffect, useState, type ReactNode } from 'react';
import { useApp } from '../../context/app-context.ts';
import { Badge } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { PhotoLightbox } from '../../ui/photo-lightbox.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { formatAge, formatDay } from '../../words/dates.ts';
import type { JobFacts } from './job-facts.ts';
import { PublicJobFacts } from './job-fact-list.tsx';
import styles from './job-view.module.css';

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
  /** What became of something that was sent about it: above all else. */
  readonly notice?: ReactNode;
};

/** A job as every viewer but its owner sees it. */
export function JobView({
  job,
  place,
  category,
  photos = job.images,
  onBack,
  badges,
  actions,
  answer,
  notice,
}: JobViewProps) {
  const { now } = useApp();
  useEscape(onBack);
  const [enlarged, setEnlarged] = useState<number>();
  const pictures = photos.map((url, at) => ({ url, alt: `Photo ${at + 1} of ${job.title}` }));
  const age = formatAge(job.createdAt, now());
  return (
    <Page
      title={job.title}
      width="wide"
      actions={actions}
      lead={
        <div className={styles.lead}>
          {category !== undefined && <strong className={styles.trade}>{category}</strong>}
          {age !== formatDay(job.createdAt) && <span>{age}</span>}
          {job.status === 'closed' && <Badge>Closed</Badge>}
          {badges !== undefined && <div className={styles.state}>{badges}</div>}
        </div>
      }
      {...(onBack === undefined ? {} : { onBack })}
    >
      {notice}
      <div className={styles.columns} data-bare={photos.length === 0 || undefined}>
        <div className={styles.body}>
          <PhotoStrip photos={pictures} onEnlarge={setEnlarged} />
          <PhotoLightbox photos={pictures} index={enlarged} onIndexChange={setEnlarged} />
          <div className={styles.words}>
            <p className={styles.description}>{job.description}</p>
          </div>
        </div>
        <div className={styles.side}>
          <PublicJobFacts job={job} place={place} />
          <div className={styles.answer}>{answer}</div>
        </div>
      </div>
    </Page>
  );
}

/** What takes the key itself: a field, and what lies over the page. */
const takers = 'input, textarea, select, [role=dialog], [role=alertdialog], [role=menu], [data-react-aria-top-layer]';

/** Escape does this, unless what has the focus takes the key. Nothing where it is undefined. */
function useEscape(act: (() => void) | undefined): void {
  useEffect(() => {
    if (act === undefined) return undefined;
    const onKey = ({ key, defaultPrevented, target }: KeyboardEvent) => {
      const isTaken = defaultPrevented || (target instanceof Element && target.closest(takers) !== null);
      if (key === 'Escape' && !isTaken) act();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [act]);
}
