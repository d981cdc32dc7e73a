import { useApp } from '../context/app-context.ts';
import { formatInstant } from '../words/dates.ts';
import styles from './updated.module.css';
import { useWatched } from '../lib/watched.ts';

/** How old what stands here is: when the server last said what it has. Holds its line until that is known. */
export function Updated() {
  const { connection, now } = useApp();
  const { lastSynced } = useWatched(connection);
  return <p className={styles.updated}>{lastSynced === null ? '\u00a0' : `Updated ${formatInstant(lastSynced, now())}`}</p>;
}
