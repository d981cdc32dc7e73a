import { useId } from 'react';
import { Avatar } from './avatar.tsx';
import { Button } from './button.tsx';
import { FilePick } from './file-pick.tsx';
import { Icon } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import field from './field.module.css';
import styles from './logo-field.module.css';

type LogoFieldProps = {
  readonly label: string;
  /** The business's name; its initials stand where there is no picture. */
  readonly name: string;
  /** What is shown: an object or public address, '' for none. */
  readonly src: string;
  /** There is a newly chosen one, which can be undone. */
  readonly isNew: boolean;
  /** The picked file. Copy its bytes at once. */
  readonly onPick: (file: File) => void;
  readonly onRemove: () => void;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** How far it is, as "Saved on this phone". */
  readonly note?: string | undefined;
  readonly isBusy?: boolean;
  /** Not while the form is being saved. */
  readonly isDisabled?: boolean;
  /** The same as an input's `accept`. */
  readonly accept?: string;
  readonly id?: string;
};

/** One picture of a business: what it is now, another in its place, and back again. Keeps no file itself. */
export function LogoField({
  label,
  name,
  src,
  isNew,
  onPick,
  onRemove,
  hint,
  error,
  note,
  isBusy = false,
  isDisabled = false,
  accept = 'image/*',
  id,
}: LogoFieldProps) {
  const ownId = useId();
  const inputId = id ?? ownId;
  const isOff = isBusy || isDisabled;
  return (
    <fieldset className={field.field}>
      <legend className={`${field.label} ${styles.legend}`}>
        {label}
        <span className={field.optional}>(optional)</span>
      </legend>
      {hint !== undefined && (
        <span className={field.hint} id={`${inputId}-hint`}>
          {hint}
        </span>
      )}
      <div className={styles.row}>
        {isBusy || (src === '' && name.trim() === '') ? (
          <span className={styles.empty}>
            {isBusy ? <Spinner label="Making the picture smaller" /> : <Icon name="building" size="lg" />}
          </span>
        ) : (
          <Avatar name={name} src={src} size="lg" />
        )}
        <div className={styles.does}>
          <FilePick
            id={inputId}
            label={src === '' ? 'Upload logo' : 'Change logo'}
            accept={accept}
            onPick={([file]) => file !== undefined && onPick(file)}
            isDisabled={isOff}
            describedBy={`${inputId}-hint ${inputId}-note ${inputId}-error`}
          />
          {isNew && (
            <Button variant="plain" icon="trash" isDisabled={isDisabled} onPress={onRemove}>
              Remove logo
            </Button>
          )}
          <span className={styles.note} id={`${inputId}-note`} role="status">
            {note}
          </span>
        </div>
      </div>
      {error !== undefined && (
        <span className={field.error} id={`${inputId}-error`}>
          <Icon name="alert" size="sm" />
          <span>{error}</span>
        </span>
      )}
    </fieldset>
  );
}
