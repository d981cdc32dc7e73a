import { useEffect } from 'react';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal';
import { fileSrc } from '../lib/file-src.ts';
import { Button } from './button.tsx';
import { cx } from './cx.ts';
import styles from './photo-lightbox.module.css';

type PhotoLightboxProps = {
  readonly photos: readonly { readonly url: string; readonly alt: string }[];
  /** Which photo is enlarged; undefined while closed. */
  readonly index: number | undefined;
  /** Another photo, or undefined to close. */
  readonly onIndexChange: (index: number | undefined) => void;
};

/** One photo as large as the screen allows. Arrow keys go through them, Escape closes. */
export function PhotoLightbox({ photos, index, onIndexChange }: PhotoLightboxProps) {
  const photo = index === undefined ? undefined : photos[index];
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
      isOpen={photo !== undefined}
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
          {photo !== undefined && <img className={styles.photo} src={fileSrc(photo.url)} alt={photo.alt} />}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
