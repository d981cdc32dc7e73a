import { QuickButton } from '../../ui/quick-button.tsx';
import { count } from '../../words/common-words.ts';
import styles from './distance-filter.module.css';
import { kmTo, type FeedJob } from './filter-jobs.ts';
import type { DistanceContext } from './distances.ts';
import type { PlaceChoice } from './use-phone-place.tsx';

type NearestNoteProps = {
  /** The jobs of the list, nearest first. */
  readonly jobs: readonly FeedJob[];
  readonly nearness: DistanceContext;
  readonly choice: PlaceChoice;
};

/** What "Nearest" counts from, or that it cannot. */
export function NearestNote({ jobs, nearness: { origin, distances, isRead }, choice }: NearestNoteProps) {
  if (!isRead) return null;
  if (origin === undefined)
    return (
      <div className={styles.note}>
        <p>The newest come first: we don&apos;t know where you are.</p>
        <QuickButton variant="plain" icon="pin" onPress={choice.usePhone}>
          Use my location
        </QuickButton>
      </div>
    );
  const unplaced = jobs.length - jobs.findLastIndex((job) => kmTo(job, distances) !== undefined) - 1;
  return (
    <div className={styles.note}>
      <p>
        {`Nearest to ${origin.isPhone ? 'this phone' : (origin.town?.town ?? 'your base town')} first.`}
        {unplaced > 0 && ` ${count(unplaced, 'job')} without a known town ${unplaced === 1 ? 'comes' : 'come'} last.`}
      </p>
    </div>
  );
}
