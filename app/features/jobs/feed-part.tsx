import { useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';
import styles from './browse-jobs.module.css';

/**
 * How much of the feed is on this device: all of it; a part, and more is coming; or the person's own regions, and the
 * rest is held back to save data.
 */
export type FeedPart = 'whole' | 'coming' | 'held-back';

export function useFeedPart(): FeedPart {
  const { status } = useWatched(useSessionContext().feed);
  return status === 'part' ? 'held-back' : status === 'filling' ? 'coming' : 'whole';
}

/** Says that jobs elsewhere are not on this device, and gets them. */
export function HeldBack() {
  const { feedRest } = useSessionContext();
  return (
    <div className={styles.above}>
      <p>Jobs in your own regions only, because this browser saves data.</p>
      <QuickButton variant="plain" onPress={feedRest.fetch}>
        Get all jobs
      </QuickButton>
    </div>
  );
}

/** Where nothing was found in the part that is here, that is not to say that there is nothing. */
export function NoneFoundSoFar() {
  return (
    <EmptyState title="No jobs found so far">
      <p>Only a part of the jobs is on this phone yet.</p>
    </EmptyState>
  );
}
