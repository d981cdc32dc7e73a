import { useContext, useEffect, useRef } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { fileSrc } from '../lib/file-src.ts';
import { BackClosesContext } from './back-closes-context.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import styles from './photo-lightbox.module.css';
import { useGoOn } from './toasts-context.ts';
import { usePhotoGestures } from './use-photo-gestures.ts';

type PhotoLightboxProps = {
  readonly photos: readonly { readonly url: string; readonly alt: string }[];
  /** Which photo is enlarged; undefined while closed. */
  readonly index: number | undefined;
  /** Another photo, or undefined to close. */
  readonly onIndexChange: (index: number | undefined) => void;
};

/**
 * One photo as large as the screen allows. Arrow keys and fingers go through them; Escape, a finger down and the
 * browser's Back close.
 */
export function PhotoLightbox({ photos, index, onIndexChange }: PhotoLightboxProps) {
  const backCloses = useContext(BackClosesContext);
  const photo = index === undefined ? undefined : photos[index];
  const isOpen = photo !== undefined;
  useGoOn(isOpen);
  const close = useRef(() => onIndexChange(undefined));
  useEffect(() => {
    close.current = () => onIndexChange(undefined);
  });
  useEffect(() => (isOpen ? backCloses(() => close.current()) : undefined), [isOpen, backCloses]);
  const count = photos.length;
  const step = (by: number) => {
    if (index !== undefined) onIndexChange((index + by + count) % count);
  };
  useEffect(() => {
    if (index === undefined || count < 2) return undefined;
    const onKey = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowLeft') onIndexChange((index - 1 + count) % count);
      if (key === 'ArrowRight') onIndexChange((index + 1) % count);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [index, count, onIndexChange]);

  return (
    <ModalOverlay
      className={cx(styles.overlay)}
      isOpen={isOpen}
      onOpenChange={(isOpen) => !isOpen && onIndexChange(undefined)}
      isDismissable
    >
      <Modal className={cx(styles.modal)}>
        <Dialog className={cx(styles.dialog)}>
          <div className={styles.head}>
            <Heading slot="title" level={2} className={cx(styles.title)}>
              Photo {(index ?? 0) + 1} of {count}
            </Heading>
            {count > 1 && (
              <>
                <Button variant="plain" icon="arrowLeft" iconOnlyLabel="Previous photo" onPress={() => step(-1)} />
                <Button variant="plain" icon="arrowRight" iconOnlyLabel="Next photo" onPress={() => step(1)} />
              </>
            )}
            <Button
              variant="plain"
              icon="cross"
              iconOnlyLabel="Close"
              autoFocus
              onPress={() => onIndexChange(undefined)}
            />
          </div>
          {photo !== undefined && (
            <Picture
              key={photo.url}
              photo={photo}
              onNext={() => step(1)}
              onPrevious={() => step(-1)}
              onAway={() => onIndexChange(undefined)}
            />
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

type PictureProps = {
  readonly photo: PhotoLightboxProps['photos'][number];
  readonly onNext: () => void;
  readonly onPrevious: () => void;
  readonly onAway: () => void;
};

function Picture({ photo, ...does }: PictureProps) {
  const place = useRef<HTMLDivElement>(null);
  usePhotoGestures(place, photo.url, does);
  return (
    <div ref={place} className={styles.place}>
      <img className={styles.photo} src={fileSrc(photo.url)} alt={photo.alt} draggable={false} />
    </div>
  );
}
