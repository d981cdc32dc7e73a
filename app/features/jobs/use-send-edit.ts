import { useCallback } from 'react';
import type { ArgsOf } from '../../../shared/mutations/index.ts';
import type { Job } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { PhotoEntry } from '../../db/person-db.ts';
import { useLive } from '../../db/use-live.ts';
import { notSaved } from '../../hooks/not-saved.ts';
import { useMutation, type Kept } from '../../hooks/use-mutation.ts';
import { useObjectUrls } from '../../hooks/use-object-urls.ts';
import type { PickedPhoto } from '../../ui/photo-picker.tsx';
import type { KeptPhoto } from './use-draft-photos.ts';

interface EditToSend {
  readonly args: ArgsOf<'job.edit'>;
  readonly removed: readonly string[];
  readonly added: readonly KeptPhoto[];
  readonly draft: () => string | undefined;
  /** The rejected edit that this one replaces. */
  readonly rejectedUid: string | undefined;
}

const fallback = 'Failed to update job';

/**
 * Queues an edit. Photos are taken off first, so that the new ones fit, which are kept with the edit's own words. If
 * that breaks off half-way, the draft is still there, and sending it again changes nothing twice. An edit of photos
 * alone goes with no fields in it: its acceptance is what "Job Updated!" waits for.
 */
export function useSendEdit(job: Job): { may: boolean; send: (edit: EditToSend) => Promise<Kept> } {
  const { toasts } = useApp();
  const { db, photos } = useSessionContext();
  const { may, mutate } = useMutation('job.edit', job);
  const { may: mayRemove, enqueue: removePhoto } = useMutation('photo.remove', job);
  const send = useCallback(
    async ({ args, removed, added, draft, rejectedUid }: EditToSend): Promise<Kept> => {
      const { id } = args;
      let dropPhotos: string[];
      try {
        for (const url of (await db.jobs.get(id))?.images ?? []) {
          if (isRemoved(removed, url)) await removePhoto({ id, url });
        }
        dropPhotos = (await db.photos.where('jobId').equals(id).toArray())
          .filter(({ path }) => isRemoved(removed, path))
          .map((photo) => photo.id);
      } catch (error) {
        toasts.show(notSaved(error, fallback));
        return { kind: 'failed' };
      }
      const companions = {
        dropDraft: draft(),
        photos: added.map((photo) => photos.entry(id, photo)),
        dropPhotos,
        ...(rejectedUid === undefined ? {} : { dropRejected: rejectedUid }),
      };
      return mutate(args, { companions, fallback });
    },
    [db, mutate, photos, removePhoto, toasts],
  );
  return { may: may && mayRemove, send };
}

/**
 * An address ends with its photo's path: a photo taken off before it was uploaded is recognised when it has an address.
 */
const isRemoved = (removed: readonly string[], photo: string) =>
  removed.some((gone) => photo.endsWith(gone) || gone.endsWith(photo));

/**
 * The job's photos that are to stay: those the server has, under their address, then those still unsynced, under their
 * path.
 */
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
