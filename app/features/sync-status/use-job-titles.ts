import { useHouse } from '../../app-context.ts';
import { useLive } from '../../db/use-live.ts';

/** The title of the job on the desk or in the feed, where this device has it. */
export function useJobTitle(jobId: string | undefined): string | undefined {
  const { db, feed } = useHouse();
  const title = useLive(async () => (jobId === undefined ? undefined : ((await db.jobs.get(jobId)) ?? feed.find(jobId))?.title), [db, feed, jobId]);
  return title.state === 'ready' ? title.value : undefined;
}
