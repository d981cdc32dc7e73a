import { useSessionContext } from '../../context/app-context.ts';
import { useLive } from '../../db/use-live.ts';
import { useWatched } from '../../lib/watched.ts';

/**
 * The titles of the jobs on the desk, or in the feed, where this device has them; undefined until the desk has been read, so that no line
 * grows by a title that comes later. A desk that cannot be read has none.
 */
export function useJobTitles(): ((jobId: string | undefined) => string | undefined) | undefined {
  const { db, feed } = useSessionContext();
  useWatched(feed);
  const privateRows = useLive(async () => new Map((await db.jobs.toArray()).map(({ id, title }) => [id, title])), [db]);
  if (privateRows.state === 'reading') return undefined;
  const titles = privateRows.state === 'ready' ? privateRows.value : undefined;
  return (jobId) => (jobId === undefined ? undefined : (titles?.get(jobId) ?? feed.find(jobId)?.title));
}
