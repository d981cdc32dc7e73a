import { useRef, useState, type ReactNode } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { OutboxEntry, PhotoEntry } from '../../db/person-db.ts';
import { useLive } from '../../db/use-live.ts';
import { dropLogo, retryLogo, type WaitingLogo } from '../../photos/keep-logo.ts';
import { usePhotoSrc } from '../../photos/use-photo-src.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { errorWords } from '../../words/error-words.ts';
import { entryState, pictureState, type ItemState, type UnsyncedNow } from '../../words/item-state.ts';
import { whyNotSent } from '../../words/why-not-sent.ts';
import { DiscardButton } from './discard-button.tsx';
import styles from './item.module.css';

type PictureItemProps = {
  readonly title: string;
  /** Undefined where its bytes are not here any more. */
  readonly picture: Pick<PhotoEntry, 'bytes' | 'type'> | undefined;
  readonly state: ItemState;
  readonly reason: string | null;
  /** Tries a failed one again. */
  readonly onRetry?: (() => void) | undefined;
  /** What else can be done with it: buttons. */
  readonly children?: ReactNode;
};

const nothing = new ArrayBuffer(0);

/** An unsynced picture. */
export function PictureItem({ title, picture, state, reason, onRetry, children }: PictureItemProps) {
  const src = usePhotoSrc(picture?.bytes ?? nothing, picture?.type ?? '');
  const hasFailed = state.kind === 'failed';
  const heading = useRef<HTMLHeadingElement>(null);
  const [tries, setTries] = useState(0);
  const retry = () => {
    // The button leaves with the failure, and what became of this try stands under the heading.
    heading.current?.focus({ preventScroll: true });
    setTries(tries + 1);
    onRetry?.();
  };
  return (
    <Card as="article">
      <div className={styles.photo}>
        {src === null || picture === undefined ? <span /> : <img src={src} alt="" />}
        <div>
          <h3 ref={heading} tabIndex={-1} className={styles.title}>
            {title}
          </h3>
          <div role="status">
            <Badge tone={hasFailed ? 'bad' : 'warn'} icon={hasFailed ? 'alert' : 'image'}>
              {state.words}
            </Badge>
            {reason !== null && <p className={hasFailed ? styles.reason : styles.when}>{reason}</p>}
            {hasFailed && tries > 0 && (
              <p className={styles.when}>{`Tried again ${tries === 1 ? 'once' : `${tries} times`}.`}</p>
            )}
          </div>
        </div>
      </div>
      {children !== undefined && (
        <div className={styles.buttons}>
          {hasFailed && onRetry !== undefined && (
            <Button icon="refresh" onPress={retry}>
              Retry
            </Button>
          )}
          {children}
        </div>
      )}
    </Card>
  );
}

/** A business's new logo that waits for its upload. */
export function LogoItem({ logo, onGivenUp }: { readonly logo: WaitingLogo; readonly onGivenUp: () => void }) {
  const { toasts } = useApp();
  const { db, logoUploads } = useSessionContext();
  const act = (work: Promise<void>) => {
    work.catch((error: unknown) =>
      toasts.show({ title: 'Error', description: errorWords(error, 'That did not work'), variant: 'destructive' }),
    );
  };
  const retry = async () => {
    await retryLogo(db);
    logoUploads.wake();
  };
  return (
    <PictureItem
      title="Your new logo"
      picture={logo}
      state={pictureState(logo.state)}
      reason={logo.error}
      onRetry={() => act(retry())}
    >
      <DiscardButton what="Your new logo" discard={() => dropLogo(db)} onDiscarded={onGivenUp} />
    </PictureItem>
  );
}

const titleFor = (jobTitle: string | undefined) => `Photo for ${jobTitle === undefined ? 'a job' : `“${jobTitle}”`}`;

type PhotoItemProps = {
  readonly photo: PhotoEntry;
  readonly jobTitle: string | undefined;
  readonly onGivenUp: () => void;
};

/** One photo that waits for its upload. */
export function PhotoItem({ photo, jobTitle, onGivenUp }: PhotoItemProps) {
  const { toasts } = useApp();
  const { photos } = useSessionContext();
  const act = (work: Promise<void>) => {
    work.catch((error: unknown) =>
      toasts.show({ title: 'Error', description: errorWords(error, 'That did not work'), variant: 'destructive' }),
    );
  };
  return (
    <PictureItem
      title={titleFor(jobTitle)}
      picture={photo}
      state={pictureState(photo.state)}
      reason={photo.error}
      onRetry={() => act(photos.retry(photo.id))}
    >
      <DiscardButton
        what="This photo"
        mayHaveLeft={photo.state === 'uploading'}
        discard={() => photos.remove(photo.id)}
        onDiscarded={onGivenUp}
      />
    </PictureItem>
  );
}

type AttachItemProps = {
  readonly entry: OutboxEntry;
  readonly jobTitle: string | undefined;
  readonly attempt: UnsyncedNow['attempt'];
};

/** Undefined until it was looked for, and where its bytes are not here any more. */
function usePhotoHere(entry: Pick<OutboxEntry, 'args'>): Pick<PhotoEntry, 'id' | 'bytes' | 'type'> | undefined {
  const { db } = useSessionContext();
  const { id } = entry.args as { id: string };
  const photo = useLive(async () => (await db.photos.get(id)) ?? (await db.keptPhotos.get(id)) ?? null, [db, id]);
  return photo.state === 'ready' ? (photo.value ?? undefined) : undefined;
}

/** A photo that its job did not take: seen, and kept outside the app where its job is nowhere any more. */
export function RejectedPhoto({ entry }: { readonly entry: Pick<OutboxEntry, 'args'> }) {
  const photo = usePhotoHere(entry);
  const src = usePhotoSrc(photo?.bytes ?? nothing, photo?.type ?? '');
  if (photo === undefined || src === null) return null;
  return (
    <div className={styles.photo}>
      <img src={src} alt="" />
      <div>
        <LinkButton icon="download" href={src} download={`photo.${photo.type === 'image/png' ? 'png' : 'jpg'}`}>
          Save picture
        </LinkButton>
      </div>
    </div>
  );
}

/**
 * One photo whose bytes are uploaded, and which is on no job yet. Where the device was short of space its bytes are not
 * here any more.
 */
export function AttachItem({ entry, jobTitle, attempt }: AttachItemProps) {
  const picture = usePhotoHere(entry);
  const state = entryState(entry, attempt);
  return (
    <PictureItem
      title={titleFor(jobTitle)}
      picture={picture}
      state={state}
      reason={state.kind === 'failed' || state.kind === 'restoring' ? (whyNotSent(entry) ?? null) : null}
    />
  );
}
