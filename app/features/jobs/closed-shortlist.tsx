import type { Mark } from '../../../shared/tables/index.ts';
import type { CollectionContents } from '../../collections/collection-rows.ts';
import { Button } from '../../ui/button.tsx';
import styles from './closed-shortlist.module.css';
import { useShortlist } from './use-shortlist.ts';

type ClosedShortlistProps = {
  readonly marks: ReadonlyMap<string, Mark> | undefined;
  readonly feed: CollectionContents<'feed'>;
};

/**
 * Jobs that were saved for later and have closed since, by the title they had: the list of open jobs has them no more.
 */
export function ClosedShortlist({ marks, feed }: ClosedShortlistProps) {
  const { set } = useShortlist();
  if (marks === undefined || feed.status !== 'ready') return null;
  const open = new Set(feed.rows.map(({ id }) => id));
  const gone = [...marks.values()].filter(({ jobId }) => !open.has(jobId));
  if (gone.length === 0) return null;
  return (
    <section aria-labelledby="gone-later" className={styles.gone}>
      <h2 id="gone-later">No longer open</h2>
      <ul role="list">
        {gone.map((mark) => (
          <li key={mark.id}>
            <p>
              {mark.title === '' ? 'A job you saved for later' : mark.title} <span>Closed</span>
            </p>
            <Button aria-label={`Take off my list: ${mark.title}`} onPress={() => void set(mark, false, mark)}>
              Take off my list
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
