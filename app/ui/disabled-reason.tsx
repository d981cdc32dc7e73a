import { Icon } from './icon.tsx';
import styles from './disabled-reason.module.css';

/**
 * Why the button beside it is off, seen and spoken with it: give the button `aria-describedby` the same id. Empty while
 * it is not.
 */
export function DisabledReason({ id, reason }: { readonly id: string; readonly reason: string | undefined }) {
  return (
    <p id={id} className={styles.reason} role="status">
      {reason !== undefined && (
        <>
          <Icon name="cloudOff" size="sm" />
          <span>{reason}</span>
        </>
      )}
    </p>
  );
}
