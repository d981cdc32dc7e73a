import { Spinner } from '../../ui/spinner.tsx';
import { words } from '../../words/promises.ts';
import styles from './fetching.module.css';

/** Over the page, while the code that a press needs is still being fetched; seen only on a slow connection. */
export function Fetching() {
  return (
    <div className={styles.fetching} data-opening="">
      <Spinner size="lg" label={words.loading} />
    </div>
  );
}
