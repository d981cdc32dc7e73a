import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp, useSessionContext, type ShrunkPhoto } from '../../context/app-context.ts';
import { orFull, StorageFull } from '../../db/storage-errors.ts';
import { useObjectUrls } from '../../hooks/use-object-urls.ts';
import { TooManyPixels, UnreadablePicture } from '../../photos/shrink.ts';
import type { PickedPhoto } from '../../ui/photo-picker.tsx';
import { faultWords } from '../../words/fault-words.ts';

export type KeptPhoto = ShrunkPhoto & { readonly id: string };

interface DraftPhotos {
  /** Undefined while they are being read. */
  readonly kept: readonly KeptPhoto[] | undefined;
  readonly shown: readonly PickedPhoto[];
  readonly isPreparing: boolean;
  readonly add: (files: File[]) => void;
  readonly remove: (id: string) => void;
  /** Deletes them from the device. Never rejects: what could not be deleted is reported. */
  readonly drop: () => Promise<void>;
}

interface Unready {
  readonly id: string;
  readonly name: string;
  readonly problem: string | undefined;
}

/**
 * A form's photos, each made smaller as soon as it is picked and kept beside the draft under `${key}/photo/…`, so that typing
 * never writes pictures. `first`: photos to begin with, where the draft has none yet.
 */
export function useDraftPhotos(key: string, first: (() => Promise<readonly KeptPhoto[]>) | undefined): DraftPhotos {
  const { db, photos } = useSessionContext();
  const { newId, now, toasts } = useApp();
  const [kept, setKept] = useState<readonly KeptPhoto[]>();
  const [unready, setUnready] = useState<readonly Unready[]>([]);
  const prefix = `${key}/photo/`;
  const turn = useRef(Promise.resolve());
  const urls = useObjectUrls(kept ?? []);

  useEffect(() => {
    let isGone = false;
    const read = async () => {
      const drafts = await db.drafts.where('key').startsWith(prefix).toArray();
      const found = drafts.map((draft) => draft.value as KeptPhoto);
      if (found.length > 0 || first === undefined) return found;
      const brought = await first();
      await db.drafts.bulkPut(brought.map((photo) => ({ key: `${prefix}${photo.id}`, value: photo, savedAt: now() })));
      return brought;
    };
    read().then(
      (found) => isGone || setKept(found),
      // Photos that cannot be read must not keep the person from posting.
      () => isGone || setKept([]),
    );
    return () => {
      isGone = true;
    };
  }, [db, first, now, prefix]);

  const add = useCallback(
    (files: File[]) => {
      for (const file of files) {
        const id = newId();
        setUnready((before) => [...before, { id, name: file.name, problem: undefined }]);
        // One by one: each photo that is drawn takes four bytes a pixel until it is written.
        turn.current = turn.current
          .then(() => photos.shrink(file))
          .then(async (shrunk) => {
            const photo = { ...shrunk, id };
            await db.drafts.put({ key: `${prefix}${id}`, value: photo, savedAt: now() });
            setKept((before) => [...(before ?? []), photo]);
            setUnready((before) => before.filter((other) => other.id !== id));
          })
          .catch((fault: unknown) => {
            // A browser's own message about its disk, or about a file it cannot read, is for developers.
            const known = orFull(fault);
            const problem =
              known instanceof StorageFull || known instanceof TooManyPixels || known instanceof UnreadablePicture
                ? known.message
                : 'This photo could not be added';
            setUnready((before) => before.map((other) => (other.id === id ? { ...other, problem } : other)));
          });
      }
    },
    [db, newId, now, photos, prefix],
  );
  const forget = useCallback(
    async (work: Promise<unknown>) => {
      try {
        await work;
      } catch (fault) {
        if (db.hasBeenClosed()) return;
        toasts.show({
          title: 'Draft not cleared',
          description: faultWords(fault, 'Its photos are still on this phone.'),
          variant: 'destructive',
        });
      }
    },
    [db, toasts],
  );
  const remove = useCallback(
    (id: string) => {
      setKept((before) => before?.filter((photo) => photo.id !== id));
      setUnready((before) => before.filter((photo) => photo.id !== id));
      void forget(db.drafts.delete(`${prefix}${id}`));
    },
    [db, forget, prefix],
  );
  const drop = useCallback(() => forget(db.drafts.where('key').startsWith(prefix).delete()), [db, forget, prefix]);

  const shown: PickedPhoto[] = [
    ...(kept ?? []).map(({ id, name }) => ({ id, name, url: urls.get(id), state: 'ready' as const })),
    ...unready.map(({ id, name, problem }) => ({
      id,
      name,
      problem,
      state: problem === undefined ? ('preparing' as const) : ('failed' as const),
    })),
  ];
  return { kept, shown, isPreparing: unready.some(({ problem }) => problem === undefined), add, remove, drop };
}
