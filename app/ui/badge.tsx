import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './badge.module.css';

type BadgeProps = {
  readonly children: ReactNode;
  /** The colour; the words and the icon carry the meaning without it. */
  readonly tone?: 'neutral' | 'quiet' | 'strong' | 'good' | 'warn' | 'bad';
  readonly icon?: IconName;
};

/** A word or two about the thing beside it. */
export function Badge({ children, tone = 'neutral', icon }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {icon !== undefined && <Icon name={icon} size="sm" />}
      {children}
    </span>
  );
}
