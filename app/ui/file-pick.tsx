import type { ChangeEvent } from 'react';
import { Icon } from './icon.tsx';
import styles from './file-pick.module.css';

type FilePickProps = {
  readonly label: string;
  /** The same as an input's `accept`. */
  readonly accept: string;
  /** The picked files, never none. Copy their bytes at once. */
  readonly onPick: (files: File[]) => void;
  readonly isDisabled?: boolean;
  /** Opens the camera; not shown where there is no camera app. */
  readonly isCamera?: boolean;
  readonly isMultiple?: boolean;
  /** Fills the row it stands in. */
  readonly isWide?: boolean;
  readonly id?: string;
  /** Ids of what describes it, with spaces between. */
  readonly describedBy: string;
};

/** A button that picks pictures: a file input under its words. */
export function FilePick({
  label,
  accept,
  onPick,
  isDisabled = false,
  isCamera = false,
  isMultiple = false,
  isWide = false,
  id,
  describedBy,
}: FilePickProps) {
  const pick = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])];
    // Emptied so that picking the same picture again is noticed.
    event.target.value = '';
    if (files.length > 0 && !isDisabled) onPick(files);
  };
  return (
    <label
      className={styles.pick}
      data-camera={isCamera || undefined}
      data-wide={isWide || undefined}
      data-disabled={isDisabled || undefined}
    >
      <input
        id={id}
        className={styles.input}
        type="file"
        accept={accept}
        multiple={isMultiple}
        disabled={isDisabled}
        onChange={pick}
        aria-describedby={describedBy}
        {...(isCamera ? { capture: 'environment' as const } : {})}
      />
      <Icon name={isCamera ? 'camera' : 'image'} />
      {label}
    </label>
  );
}
