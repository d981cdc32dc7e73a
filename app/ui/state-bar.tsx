import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './state-bar.module.css';

export type StateBarKind = 'online' | 'slow' | 'offline' | 'unanswered' | 'unreachable';

type StateBarProps = {
  readonly kind: StateBarKind;
  /** "Offline. Showing jobs from 10:42 am. 2 changes waiting." Short: it is one line on a phone. */
  readonly children?: ReactNode;
  /** A link or plain button at the end, as to the waiting list. */
  readonly action?: ReactNode;
};

const icons: Record<Exclude<StateBarKind, 'online'>, IconName> = {
  slow: 'signalLow',
  offline: 'cloudOff',
  unanswered: 'alert',
  unreachable: 'alert',
};

/**
 * One slim line on the state of the connection. Part of the page, so it never covers what has the focus, and
 * always there for a screen reader, so that a change is spoken.
 */
export function StateBar({ kind, children, action }: StateBarProps) {
  return (
    <section className={styles.bar} data-kind={kind} aria-label={kind === 'online' ? undefined : 'Connection'}>
      <div role="status" className={styles.words}>
        {kind !== 'online' && (
          <>
            <Icon name={icons[kind]} />
            <span>{children}</span>
          </>
        )}
      </div>
      {kind !== 'online' && action}
    </section>
  );
}
