import { Mark } from './mark.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './spinner.module.css';

type SpinnerProps = {
  /**
   * Said aloud as a status and, at size lg, shown. Without it the spinner is decoration beside words that say the same.
   */
  readonly label?: string;
  readonly size?: 'sm' | 'md' | 'lg';
};

/** Something is under way of unknown length: the mark, with its cross-piece looking for its place. */
export function Spinner({ label, size = 'md' }: SpinnerProps) {
  if (label === undefined) {
    return (
      <span className={styles.spinner} data-size={size} aria-hidden="true">
        <Mark isMoving />
      </span>
    );
  }
  return (
    <span className={styles.spinner} data-size={size} data-waiting={size === 'lg' ? '' : undefined} role="status">
      <Mark isMoving />
      {size === 'lg' ? <span className={styles.label}>{label}</span> : <VisuallyHidden>{label}</VisuallyHidden>}
    </span>
  );
}
