import { useCallback } from 'react';
import type { ArgsOf } from '../../../shared/mutations/index.ts';
import type { Job } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useMutation, type Kept } from '../../hooks/use-mutation.ts';
import { faultWords } from '../../words/fault-words.ts';
import type { KeptPhoto } from './use-draft-photos.ts';
import { isRemoved } from './use-existing-photos.ts';

interface EditToSend {
  readonly args: ArgsOf<'job.edit'>;
  readonly removed: readonly string[];
  readonly added: readonly KeptPhoto[];
  readonly draftKey: string;
  /** The rejected edit that this one replaces. */
  readonly rejectedUid: string | undefined;
}

const fallback = 'Failed to update job';

/**
 * Queues an edit. Photos are taken off first, so that the new ones fit, which are kept with the edit's own words. If that breaks off
 * half-way, the draft is still there, and sending it again changes nothing twice. An edit of photos alone goes with no fields in it: its
 * acceptance is what "Job Updated!" waits for.
 */
export function useSendEdit(job: Job): { may: boolean; send: (edit: EditToSend) => Promise<Kept> } {
  const { toasts } = useApp();
  const { db, photos } = useSessionContext();
  const { may, mutate } = useMutation('job.edit', job);
  const { enqueue: removePhoto } = useMutation('photo.remove', job);
  const send = useCallback(
    async ({ args, removed, added, draftKey, rejectedUid }: EditToSend): Promise<Kept> => {
      const { id } = args;
      let dropPhotos: string[];
      try {
        for (const url of (await db.jobs.get(id))?.images ?? []) {
          if (isRemoved(removed, url)) await removePhoto({ id, url });
        }
        dropPhotos = (await db.photos.where('jobId').equals(id).toArray())
          .filter(({ path }) => isRemoved(removed, path))
          .map((photo) => photo.id);
      } catch (fault) {
        toasts.show({ title: 'Error', description: faultWords(fault, fallback), variant: 'destructive' });
        return { kind: 'failed' };
      }
      const companions = {
        dropDraft: draftKey,
        photos: added.map((photo) => photos.entry(id, photo)),
        dropPhotos,
        ...(rejectedUid === undefined ? {} : { dropRejected: rejectedUid }),
      };
      return mutate(args, { companions, fallback });
    },
    [db, mutate, photos, removePhoto, toasts],
  );
  return { may, send };
}
