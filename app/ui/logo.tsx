import { Mark } from './mark.tsx';
import styles from './logo.module.css';

/** The mark and the name. Wrap it in the link home. */
export function Logo() {
  return (
    <span className={styles.logo}>
      <Mark />
      <span className={styles.name}>Dwang</span>
    </span>
  );
}
