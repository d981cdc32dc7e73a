import { useSessionContext } from '../context/app-context.ts';
import { useRows } from '../db/use-rows.ts';
import { useWatched } from '../context/use-watched.ts';

/**
 * The titles of the jobs in the private tables, or in the feed, where this device has them; undefined until the tables
 * have been read, so that no line grows by a title that comes later. Tables that cannot be read give none.
 */
export function useJobTitles(): ((jobId: string | undefined) => string | undefined) | undefined {
  const { db, feed } = useSessionContext();
  useWatched(feed);
  const privateRows = useRows(
    db,
    ['jobs'],
    ({ jobs }) => new Map(Array.from(jobs.values(), ({ id, title }) => [id, title])),
    [],
  );
  if (privateRows.state === 'reading') return undefined;
  const titles = privateRows.state === 'ready' ? privateRows.value : undefined;
  return (jobId) => (jobId === undefined ? undefined : (titles?.get(jobId) ?? feed.find(jobId)?.title));
}
