import { useSessionContext } from '../../context/app-context.ts';
import { useLive } from '../../db/use-live.ts';
import { useObjectUrls } from '../../hooks/use-object-urls.ts';

/** Addresses of a job's photos: those the server has, then those of this phone that are unsynced. */
export function useJobPhotos(jobId: string, images: readonly string[]): readonly string[] {
  const { db } = useSessionContext();
  const kept = useLive(() => db.photos.where('jobId').equals(jobId).toArray(), [db, jobId]);
  const own = kept.state === 'ready' ? kept.value.filter(({ path }) => !images.some((url) => url.endsWith(path))) : [];
  const urls = useObjectUrls(own);
  return [...images, ...own.flatMap(({ id }) => urls.get(id) ?? [])];
}
