import { useSessionContext } from '../../context/app-context.ts';
import type { PhotoEntry } from '../../db/person-db.ts';
import { useLive } from '../../db/use-live.ts';
import { useObjectUrls } from '../../hooks/use-object-urls.ts';
import type { PickedPhoto } from '../../ui/photo-picker.tsx';

/** An address ends with its photo's path: a photo taken off before it was uploaded is recognised when it has an address. */
export const isRemoved = (removed: readonly string[], photo: string) =>
  removed.some((gone) => photo.endsWith(gone) || gone.endsWith(photo));

/** The job's photos that are to stay: those the server has, under their address, then those still unsynced, under their path. */
export function useExistingPhotos(
  job: { readonly id: string; readonly images: readonly string[] },
  removed: readonly string[],
): PickedPhoto[] {
  const { db } = useSessionContext();
  const kept = useLive(() => db.photos.where('jobId').equals(job.id).toArray(), [db, job.id]);
  const own =
    kept.state === 'ready' ? kept.value.filter(({ path }) => !job.images.some((url) => url.endsWith(path))) : [];
  const urls = useObjectUrls(own);
  const there = job.images.map((url, at) => ({
    id: url,
    url,
    name: `photo ${at + 1} of this job`,
    state: 'ready' as const,
  }));
  return [...there, ...own.map((photo) => ownPhoto(photo, urls.get(photo.id)))].filter(
    ({ id }) => !isRemoved(removed, id),
  );
}

function ownPhoto({ path, name, state, error }: PhotoEntry, url: string | undefined): PickedPhoto {
  return { id: path, url, name, ...(state === 'failed' ? { state, problem: error ?? undefined } : { state: 'ready' }) };
}
