import { useApp } from '../context/app-context.ts';
import { formatInstant } from '../words/dates.ts';
import styles from './updated.module.css';
import { useWatched } from '../context/use-watched.ts';

/** How old the shown data is: the time of the server's last answer. Reserves its line until that is known. */
export function Updated() {
  const { connection, now } = useApp();
  const { lastSynced } = useWatched(connection);
  return (
    <p className={styles.updated}>{lastSynced === null ? '\u00a0' : `Updated ${formatInstant(lastSynced, now())}`}</p>
  );
}
