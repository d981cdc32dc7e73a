import type { ReactNode } from 'react';
import styles from './form-columns.module.css';

type FormColumnsProps = {
  /** The fields, and what is said about them. */
  readonly children: ReactNode;
  /** What ends the form: what is missing, its price, its buttons. */
  readonly end: ReactNode;
};

/**
 * What stands in a form: its end follows the fields on a phone; a desktop has it beside them, in sight for as long as
 * they go by.
 */
export function FormColumns({ children, end }: FormColumnsProps) {
  return (
    <div className={styles.columns}>
      <div className={styles.fields}>{children}</div>
      <div className={styles.end}>{end}</div>
    </div>
  );
}

/** Cancel and save: as wide as there is room, the one that saves last. */
export function FormButtons({ children }: { readonly children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>;
}
