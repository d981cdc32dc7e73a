import { listed } from '../words/listed.ts';
import styles from './form-missing.module.css';

type FormMissingProps = {
  /** "To post", "To continue". */
  readonly action: string;
  /** What is still to do, each as "add a description". */
  readonly missing: readonly string[];
  readonly id?: string;
};

/** Says in words why the button beside it is off: "To post: add a description and choose a town". */
export function FormMissing({ action, missing, id }: FormMissingProps) {
  return (
    <p className={styles.missing} id={id} role="status">
      {missing.length > 0 && `${action}: ${listed(missing)}`}
    </p>
  );
}
