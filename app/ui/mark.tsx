import styles from './mark.module.css';

type MarkProps = {
  /** The cross-piece travels between the studs while something is under way. */
  readonly isMoving?: boolean;
};

/**
 * The mark: two studs that run out of the frame, and the dwang that ties them. Decoration; give it a name where it is
 * used.
 */
export function Mark({ isMoving = false }: MarkProps) {
  return (
    <svg
      className={styles.mark}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
      data-moving={isMoving || undefined}
    >
      <path className={styles.stud} d="M4 0h4v24H4zM16 0h4v24h-4z" />
      <path className={styles.dwang} d="M8 12h8v5H8z" />
    </svg>
  );
}
