import { useEffect, useId, useRef, useState } from 'react';
import { fileSrc } from '../lib/file-src.ts';
import { Button } from './button.tsx';
import { FilePick } from './file-pick.tsx';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import field from './field.module.css';
import styles from './photo-picker.module.css';

export type PickedPhoto = {
  readonly id: string;
  readonly name: string;
  /** An object or public URL; absent while it is being made smaller. */
  readonly url?: string | undefined;
  readonly state: 'preparing' | 'ready' | 'failed';
  /** Why it failed, in words. */
  readonly problem?: string | undefined;
};

type PhotoPickerProps = {
  readonly photos: readonly PickedPhoto[];
  /** Called with the files just picked, never more than fit. Copy their bytes at once. */
  readonly onAdd: (files: File[]) => void;
  readonly onRemove: (id: string) => void;
  readonly label?: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  readonly max?: number;
  /** As an input's `accept`: JPEG, PNG and WebP for a new job, any image for an edit. */
  readonly accept?: string;
  readonly isDisabled?: boolean;
};

function progressWords(photos: readonly PickedPhoto[], max: number): string {
  if (photos.length === 0) return '';
  const ready = photos.filter((photo) => photo.state === 'ready').length;
  if (ready < photos.length) return `${ready} of ${photos.length} photos added`;
  return photos.length >= max
    ? `${max} photos added. That is all there is room for.`
    : `${ready} ${ready === 1 ? 'photo' : 'photos'} added`;
}

/** One by itself stays as it is; before another it ends with a full stop. */
const sentences = (all: readonly string[]): string =>
  all
    .filter((one) => one !== '')
    .map((one, at, said) => (at < said.length - 1 && !one.endsWith('.') ? `${one}.` : one))
    .join(' ');

/**
 * Photos from the camera or from the phone's own, with their small pictures and how far they are. Keeps no file itself.
 */
export function PhotoPicker({
  photos,
  onAdd,
  onRemove,
  label = 'Photos',
  hint,
  error,
  max = 5,
  accept = 'image/jpeg,image/png,image/webp',
  isDisabled = false,
}: PhotoPickerProps) {
  const id = useId();
  const [leftOut, setLeftOut] = useState(0);
  const [other, setOther] = useState<readonly string[]>([]);
  const room = Math.max(0, max - photos.length);
  const whole = useRef<HTMLFieldSetElement>(null);
  const removedAt = useRef(0);
  const count = photos.length;
  const before = useRef(count);
  useEffect(() => {
    const isFewer = count < before.current;
    before.current = count;
    // The button went with its photo, and the focus with the button.
    if (!isFewer || document.activeElement !== document.body) return;
    const left = whole.current?.querySelectorAll<HTMLElement>('li button') ?? [];
    const next = left[Math.min(removedAt.current, left.length - 1)];
    (next ?? whole.current?.querySelector<HTMLElement>('input:not([capture])'))?.focus();
  }, [count]);
  const isOff = isDisabled || room === 0;

  const onPick = (picked: File[]) => {
    // A file manager's "all files" goes past `accept`. One that has no type may be a photo that this browser does not
    // know.
    const files = picked.filter(({ type }) => type === '' || type.startsWith('image/'));
    setOther(picked.filter((file) => !files.includes(file)).map(({ name }) => name));
    setLeftOut(Math.max(0, files.length - room));
    if (files.length > 0) onAdd(files.slice(0, room));
  };
  const common = { accept, onPick, isDisabled: isOff, isWide: true, describedBy: `${id}-words` };

  return (
    <fieldset ref={whole} className={field.field} aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend className={`${field.label} ${styles.legend}`}>
        {label}
        <span className={field.optional}>(optional, up to {max})</span>
      </legend>
      {hint !== undefined && <span className={field.hint}>{hint}</span>}
      <div className={styles.picks}>
        <FilePick label="Take photo" isCamera {...common} />
        <FilePick label="Choose photos" isMultiple {...common} />
      </div>
      <p className={styles.words} id={`${id}-words`} role="status">
        {sentences([
          progressWords(photos, max),
          leftOut > 0 ? `${leftOut} more did not fit.` : '',
          other.length > 0 ? `Not a photo, so not added: ${other.join(', ')}.` : '',
        ])}
      </p>
      {photos.length > 0 && (
        <ul className={styles.photos} role="list">
          {photos.map((photo, index) => (
            <li key={photo.id} className={styles.photo} data-state={photo.state}>
              <span className={styles.picture}>
                {photo.url !== undefined && <img src={fileSrc(photo.url)} alt={photo.name} />}
                {photo.state === 'preparing' && <Spinner />}
                {photo.state === 'failed' && <Icon name="alert" size="lg" />}
              </span>
              <span className={styles.remove}>
                <Button
                  variant="plain"
                  icon="trash"
                  iconOnlyLabel={`Remove photo ${index + 1}: ${photo.name}`}
                  isDisabled={isDisabled}
                  onPress={() => {
                    removedAt.current = index;
                    onRemove(photo.id);
                  }}
                />
              </span>
              {photo.state === 'failed' && (
                <span className={styles.problem}>{photo.problem ?? 'This photo could not be added'}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && (
        <span className={field.error} id={`${id}-error`}>
          <Icon name="alert" size="sm" />
          <span>{error}</span>
        </span>
      )}
    </fieldset>
  );
}
