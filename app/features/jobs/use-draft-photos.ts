import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp, useSessionContext, type ShrunkPhoto } from '../../context/app-context.ts';
import { withConnection } from '../../db/connection.ts';
import { photoDraftsOf } from '../../db/person-db.ts';
import { orFull, StorageFull } from '../../db/storage-errors.ts';
import { useObjectUrls } from '../../hooks/use-object-urls.ts';
import { useWhenCleared } from '../../hooks/use-when-cleared.ts';
import { TooManyPixels, UnreadablePicture } from '../../photos/shrink.ts';
import type { PickedPhoto } from '../../ui/photo-picker.tsx';
import { errorWords } from '../../words/error-words.ts';

export type KeptPhoto = ShrunkPhoto & { readonly id: string };

interface DraftPhotos {
  /** Undefined while they are being read. */
  readonly kept: readonly KeptPhoto[] | undefined;
  readonly shown: readonly PickedPhoto[];
  readonly isPreparing: boolean;
  /** What is still to do before the form may go: it must not go without a photo that its person thinks is in it. */
  readonly missing: readonly string[];
  readonly add: (files: File[]) => void;
  readonly remove: (id: string) => void;
  /** Writes again those that are not on the device. Never rejects: what could not be kept is reported. */
  readonly keep: () => Promise<void>;
  /** Deletes them from the device. Never rejects: what could not be deleted is reported. */
  readonly drop: () => Promise<void>;
}

interface Unready {
  readonly id: string;
  readonly name: string;
  readonly problem: string | undefined;
}

/**
 * A form's photos, each made smaller as soon as it is picked and kept beside the draft under `${key}/photo/…`, so that
 * typing never writes pictures. `key`: undefined until it is known. `first`: photos to begin with, where the draft has
 * none yet.
 */
export function useDraftPhotos(
  key: string | undefined,
  first: (() => Promise<readonly KeptPhoto[]>) | undefined,
): DraftPhotos {
  const { db, photos } = useSessionContext();
  const { newId, now, toasts } = useApp();
  const [kept, setKept] = useState<readonly KeptPhoto[]>();
  const [unready, setUnready] = useState<readonly Unready[]>([]);
  const prefix = photoDraftsOf(key ?? '');
  const turn = useRef(Promise.resolve());
  /** How many are being made smaller. */
  const preparing = useRef(0);
  /** The form has gone, or was sent or given up: what is prepared still is for no other form. */
  const isOver = useRef(false);
  const urls = useObjectUrls(kept ?? []);

  useEffect(() => {
    if (key === undefined) return;
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
  }, [db, first, key, now, prefix]);

  const add = useCallback(
    (files: File[]) => {
      for (const file of files) {
        const id = newId();
        preparing.current += 1;
        setUnready((before) => [...before, { id, name: file.name, problem: undefined }]);
        // Photos are drawn one by one: each takes four bytes a pixel until it is written.
        turn.current = turn.current
          .then(() => photos.shrink(file))
          .then(async (shrunk) => {
            if (isOver.current) return;
            const photo = { ...shrunk, id };
            await db.drafts.put({ key: `${prefix}${id}`, value: photo, savedAt: now() });
            if (isOver.current) return db.drafts.delete(`${prefix}${id}`);
            setKept((before) => [...(before ?? []), photo]);
            setUnready((before) => before.filter((other) => other.id !== id));
          })
          .catch((error: unknown) => {
            // A browser's own message about its disk, or about a file it cannot read, is for developers.
            const known = orFull(error);
            const problem =
              known instanceof StorageFull || known instanceof TooManyPixels || known instanceof UnreadablePicture
                ? known.message
                : 'This photo could not be added';
            setUnready((before) => before.map((other) => (other.id === id ? { ...other, problem } : other)));
          })
          .finally(() => (preparing.current -= 1));
      }
    },
    [db, newId, now, photos, prefix],
  );
  useEffect(() => {
    isOver.current = false;
    return () => {
      if (preparing.current > 0 && !isOver.current)
        toasts.show({
          title: preparing.current === 1 ? 'A photo was not added' : `${preparing.current} photos were not added`,
          description: 'You left before they were ready. Choose them again.',
          variant: 'destructive',
        });
      isOver.current = true;
    };
  }, [prefix, toasts]);
  const inHand = useRef(kept);
  useEffect(() => {
    inHand.current = kept;
  }, [kept]);
  const keep = useCallback(async () => {
    if (key === undefined) return;
    try {
      await withConnection(db, async () => {
        const there = new Set(await db.drafts.where('key').startsWith(prefix).primaryKeys());
        const missing = (inHand.current ?? [])
          .map((photo) => ({ key: `${prefix}${photo.id}`, value: photo, savedAt: now() }))
          .filter((draft) => !there.has(draft.key));
        if (missing.length > 0) await db.drafts.bulkPut(missing);
      });
    } catch (error) {
      if (db.hasBeenClosed()) return;
      toasts.show({
        title: 'Draft not kept',
        description: errorWords(orFull(error), 'Its photos are lost when you leave the page.'),
        variant: 'destructive',
      });
    }
  }, [db, key, now, prefix, toasts]);
  useWhenCleared(keep);
  const forget = useCallback(
    async (work: Promise<unknown>) => {
      try {
        await work;
      } catch (error) {
        if (db.hasBeenClosed()) return;
        toasts.show({
          title: 'Draft not cleared',
          description: errorWords(error, 'Its photos are still on this phone.'),
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
  const drop = useCallback(() => {
    inHand.current = [];
    isOver.current = true;
    return forget(db.drafts.where('key').startsWith(prefix).delete());
  }, [db, forget, prefix]);

  const shown: PickedPhoto[] = [
    ...(kept ?? []).map(({ id, name }) => ({ id, name, url: urls.get(id), state: 'ready' as const })),
    ...unready.map(({ id, name, problem }) => ({
      id,
      name,
      problem,
      state: problem === undefined ? ('preparing' as const) : ('failed' as const),
    })),
  ];
  const isPreparing = unready.some(({ problem }) => problem === undefined);
  const failed = unready.filter(({ problem }) => problem !== undefined).length;
  const missing = [
    ...(isPreparing ? ['wait for your photos'] : []),
    ...(failed > 0 ? [`remove the ${failed === 1 ? 'photo' : 'photos'} that could not be added`] : []),
  ];
  return { kept, shown, isPreparing, missing, add, remove, keep, drop };
}
