import { useApp, useHouse } from '../../app-context.ts';
import type { PhotoEntry } from '../../db/person-db.ts';
import { usePhotoSrc } from '../../photos/use-photo-src.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { faultWords } from '../../words/fault-words.ts';
import { words } from '../../words/promises.ts';
import styles from './item.module.css';

const stateWords = { waiting: words.saved, uploading: words.sending, uploaded: words.sending, failed: words.couldntSend } as const;

/** One photo on its way to its job. */
export function PhotoItem({ photo, jobTitle }: { readonly photo: PhotoEntry; readonly jobTitle: string | undefined }) {
  const { toasts } = useApp();
  const { photos } = useHouse();
  const src = usePhotoSrc(photo.bytes, photo.type);
  const act = (work: Promise<void>) => {
    work.catch((fault: unknown) => toasts.show({ title: 'Error', description: faultWords(fault, 'That did not work'), variant: 'destructive' }));
  };
  const hasFailed = photo.state === 'failed';
  return (
    <Card as="article">
      <div className={styles.photo}>
        {src === null ? <span /> : <img src={src} alt="" />}
        <div>
          <h3 className={styles.title}>Photo for {jobTitle === undefined ? 'a job' : `“${jobTitle}”`}</h3>
          <Badge tone={hasFailed ? 'bad' : 'warn'} icon={hasFailed ? 'alert' : 'image'}>
            {stateWords[photo.state]}
          </Badge>
          {photo.error !== null && <p className={styles.reason}>{photo.error}</p>}
          <div className={styles.buttons}>
            {hasFailed && (
              <Button icon="refresh" onPress={() => act(photos.retry(photo.id))}>
                Retry
              </Button>
            )}
            {photo.state !== 'uploaded' && (
              <Button icon="trash" onPress={() => act(photos.remove(photo.id))}>
                Discard
              </Button>
            )}
          </div>
        </div>
      </div>
    </Card>
  );
}
