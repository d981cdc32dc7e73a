import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { OutboxEntry, PhotoEntry } from '../../db/person-db.ts';
import { useLive } from '../../db/use-live.ts';
import { Button } from '../../ui/button.tsx';
import { faultWords } from '../../words/fault-words.ts';
import { entryState, pictureState, whyNotSent, type UnsyncedNow } from '../../words/item-state.ts';
import { PictureItem } from './picture-item.tsx';

const titleFor = (jobTitle: string | undefined) => `Photo for ${jobTitle === undefined ? 'a job' : `“${jobTitle}”`}`;

/** One photo that waits for its upload. */
export function PhotoItem({ photo, jobTitle }: { readonly photo: PhotoEntry; readonly jobTitle: string | undefined }) {
  const { toasts } = useApp();
  const { photos } = useSessionContext();
  const act = (work: Promise<void>) => {
    work.catch((fault: unknown) =>
      toasts.show({ title: 'Error', description: faultWords(fault, 'That did not work'), variant: 'destructive' }),
    );
  };
  return (
    <PictureItem title={titleFor(jobTitle)} picture={photo} state={pictureState(photo.state)} reason={photo.error}>
      {photo.state === 'failed' && (
        <Button icon="refresh" onPress={() => act(photos.retry(photo.id))}>
          Retry
        </Button>
      )}
      <Button icon="trash" onPress={() => act(photos.remove(photo.id))}>
        Discard
      </Button>
    </PictureItem>
  );
}

type AttachItemProps = {
  readonly entry: OutboxEntry;
  readonly jobTitle: string | undefined;
  readonly attempt: UnsyncedNow['attempt'];
};

/** One photo whose bytes are uploaded, and which is on no job yet. Where the device was short of space its bytes are not here any more. */
export function AttachItem({ entry, jobTitle, attempt }: AttachItemProps) {
  const { db } = useSessionContext();
  const { id } = entry.args as { id: string };
  const photo = useLive(async () => (await db.photos.get(id)) ?? null, [db, id]);
  const state = entryState(entry, attempt);
  return (
    <PictureItem
      title={titleFor(jobTitle)}
      picture={photo.state === 'ready' ? (photo.value ?? undefined) : undefined}
      state={state}
      reason={state.kind === 'failed' ? whyNotSent(entry) : null}
    />
  );
}
