import { useApp } from '../context/app-context.ts';
import { formatInstant } from '../words/dates.ts';
import styles from './updated.module.css';
import { useWatched } from '../context/use-watched.ts';

/**
 * How old the shown data is: the time of the server's last answer. Reserves its place, as wide as a time of today,
 * until that is known.
 */
export function Updated() {
  const { connection, now } = useApp();
  const { lastSynced } = useWatched(connection);
  if (lastSynced === null) return <p className={styles.updated} data-reserves={updatedAt(now(), now())} />;
  return <p className={styles.updated}>{updatedAt(lastSynced, now())}</p>;
}

const updatedAt = (at: string, now: string) => `Updated ${formatInstant(at, now)}`;
