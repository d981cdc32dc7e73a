import { Spinner } from '../../ui/spinner.tsx';
import { words } from '../../words/promises.ts';
import styles from './fetching.module.css';

/** Over the page, while what a press opens is still being fetched; only on a slow connection does one see it. */
export function Fetching() {
  return (
    <div className={styles.fetching} data-opening="">
      <Spinner size="lg" label={words.loading} />
    </div>
  );
}
