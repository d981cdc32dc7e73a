import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './chip.module.css';

type ChipProps = {
  readonly children: ReactNode;
  readonly onPress: () => void;
  /** It is chosen or not, and says so; left out, it only does something. */
  readonly isOn?: boolean;
  readonly icon?: IconName | undefined;
  /** Heard after its words, as where it is saved. */
  readonly note?: string | undefined;
  /** A few words beside its own, as "3 new". */
  readonly news?: string | undefined;
  /** It adds another to those beside it. */
  readonly adds?: boolean;
  /** Spoken in place of its words, where those are cut short. */
  readonly label?: string;
  /** It opens a dialog, and says so. */
  readonly opensDialog?: boolean;
};

/** One of a row of short things to choose or to do. A long one is cut with an ellipsis. */
export function Chip({
  children,
  onPress,
  isOn,
  icon,
  note,
  news,
  adds = false,
  label,
  opensDialog = false,
}: ChipProps) {
  const shown = isOn === true ? 'check' : icon;
  return (
    <button
      type="button"
      className={styles.chip}
      aria-pressed={isOn}
      aria-label={label}
      aria-haspopup={opensDialog ? 'dialog' : undefined}
      data-adds={adds || undefined}
      onClick={onPress}
    >
      {shown !== undefined && <Icon name={shown} size="sm" />}
      <span className={styles.words}>{children}</span>
      {news !== undefined && <span className={styles.news}>{news}</span>}
      {note !== undefined && <VisuallyHidden>{note}</VisuallyHidden>}
    </button>
  );
}
