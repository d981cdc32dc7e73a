import { useCallback } from 'react';
import type { ArgsOf } from '../../../shared/mutations/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { OutboxEntry, RejectedEntry } from '../../db/person-db.ts';
import { useMutation, type Kept } from '../../hooks/use-mutation.ts';
import { orFull } from '../../db/storage-errors.ts';
import { faultWords } from '../../words/fault-words.ts';
import type { KeptPhoto } from './use-draft-photos.ts';

interface SendPost {
  readonly draftKey: string;
  readonly entry: OutboxEntry | RejectedEntry | undefined;
  readonly goTo: (path: string) => void;
}

const fallback = 'Failed to post job';

/** Queues the post with its photos in one transaction. One that was opened again replaces the one it was opened from. */
export function useSendPost({ draftKey, entry, goTo }: SendPost) {
  const { toasts } = useApp();
  const { sync, photos, db } = useSessionContext();
  const post = useMutation('job.post');
  return useCallback(
    async (args: ArgsOf<'job.post'>, kept: readonly KeptPhoto[], rejectedUid: string | undefined): Promise<Kept> => {
      let before: string[];
      try {
        before = await db.photos.where('jobId').equals(args.id).primaryKeys();
        const isQueued = entry !== undefined && !('refusedAt' in entry);
        if (isQueued && (await sync.cancel(entry.uid)).kind !== 'cancelled') {
          toasts.show({
            title: 'This job has been sent already',
            description: 'You can edit the job itself.',
            variant: 'destructive',
          });
          goTo(`/job/${args.id}`);
          return { kind: 'failed' };
        }
      } catch (fault) {
        toasts.show({ title: 'Error', description: faultWords(orFull(fault), fallback), variant: 'destructive' });
        return { kind: 'failed' };
      }
      const companions = {
        dropDraft: draftKey,
        photos: kept.map((photo) => photos.entry(args.id, photo)),
        dropPhotos: before.filter((id) => !kept.some((photo) => photo.id === id)),
        ...(rejectedUid === undefined ? {} : { dropRejected: rejectedUid }),
      };
      return post.mutate(args, { companions, fallback });
    },
    [db, draftKey, entry, goTo, photos, post, sync, toasts],
  );
}
