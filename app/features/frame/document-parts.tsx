import { Spinner } from '../../ui/spinner.tsx';
import { StateBar } from '../../ui/state-bar.tsx';
import { words } from '../../words/promises.ts';
import { connectionWords } from './connection-words.ts';
import styles from './app-shell.module.css';

/*
 * What documents hold until the app stands in their place, and the app never renders. `public/here.js` shows and hides it, by attributes of
 * the root. The styles are the frame's: a build for the browser has those of no component that the app does not render.
 */

/** A tap was felt, or the app could not be fetched. */
export function StartNotice() {
  return (
    <div role="status" className={styles.notice}>
      <span className={styles.underWay}>
        <Spinner size="sm" />
        {words.opening}
      </span>
      <span className={styles.failed}>
        {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid -- an empty address is this one, with its query */}
        {words.notFetched} <a href="">Try again</a>
      </span>
    </div>
  );
}

/** The state bar while there is no signal. */
export function OfflineBar() {
  return (
    <div className={styles.offline}>
      <StateBar kind="offline">{connectionWords.offline}</StateBar>
    </div>
  );
}
