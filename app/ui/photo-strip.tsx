import { fileSrc, markMissing } from '../lib/file-src.ts';
import { Icon } from './icon.tsx';
import styles from './photo-strip.module.css';

type PhotoStripProps = {
  /** `mark`: what stands on one of them, as "Not added". */
  readonly photos: readonly { readonly url: string; readonly alt: string; readonly mark?: string | undefined }[];
  /** Makes each photo a button that enlarges it. Left out, as on a card, they are pictures only. */
  readonly onEnlarge?: (index: number) => void;
  /** How many to show at most; the rest are counted on the last one. */
  readonly limit?: number;
};

/** Photos of a job, in a row on a card, or a strip on its page that a finger moves along. */
export function PhotoStrip({ photos, onEnlarge, limit = photos.length }: PhotoStripProps) {
  const shown = photos.slice(0, limit);
  const more = photos.length - shown.length;
  if (shown.length === 0) return null;
  return (
    <ul className={styles.strip} role="list" data-layout={onEnlarge === undefined ? 'card' : 'page'}>
      {shown.map((photo, index) => {
        const picture = (
          <>
            <img src={fileSrc(photo.url)} alt={photo.alt} loading="lazy" decoding="async" {...markMissing} />
            <Icon name="image" />
          </>
        );
        return (
          <li
            key={photo.url}
            className={styles.photo}
            data-more={more > 0 && index === shown.length - 1 ? `+${more}` : undefined}
          >
            {onEnlarge === undefined ? (
              picture
            ) : (
              <button
                type="button"
                className={styles.enlarge}
                aria-label={`Enlarge photo ${index + 1} of ${photos.length}${photo.mark === undefined ? '' : `, ${photo.mark.toLowerCase()}`}`}
                onClick={() => onEnlarge(index)}
              >
                {picture}
                {photo.mark !== undefined && (
                  <span aria-hidden className={styles.mark}>
                    <Icon name="alert" />
                    {photo.mark}
                  </span>
                )}
                {photos.length > 1 && (
                  <span aria-hidden className={styles.number}>
                    {index + 1} of {photos.length}
                  </span>
                )}
              </button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
