import { Icon } from '../../ui/icon.tsx';
import { words } from '../../words/common-words.ts';
import styles from './handset.module.css';

/** A phone in the back paddock: saved on it, and sent when there is signal. What it shows is what the app shows. */
export function Handset() {
  return (
    <div
      className={styles.phone}
      role="img"
      aria-label="A phone without signal: a job is saved on it, and goes out later"
    >
      <div className={styles.system}>
        <span>8:14</span>
        <span>No service</span>
      </div>
      <div className={styles.bar}>
        <Icon name="cloudOff" size="sm" />
        Offline. 1 change waiting.
      </div>
      <div className={styles.item}>
        <State d="M12.5 17.5h19v10h-19z" isOutline />
        <div>
          <strong>{words.saved}</strong>
          <p>{words.goesByItself}</p>
        </div>
      </div>
      <div className={styles.system}>
        <span>8:31</span>
        <Icon name="signal" size="sm" />
      </div>
      <div className={styles.item}>
        <State d="M11 17h22v11H11z" />
        <div>
          <strong>Sent 8:31 pm</strong>
          <p>Tradies can see your posted job.</p>
        </div>
      </div>
    </div>
  );
}

/** The mark, whose dwang says how far a change has come. */
function State({ d, isOutline = false }: { readonly d: string; readonly isOutline?: boolean }) {
  return (
    <svg className={styles.mark} viewBox="0 0 44 44" focusable="false" aria-hidden>
      <path d="M3 1h8v42H3zM33 1h8v42h-8z" />
      <path className={isOutline ? styles.outline : styles.nailed} d={d} />
    </svg>
  );
}
