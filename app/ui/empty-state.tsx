import type { ReactNode } from 'react';
import { Drawing, type Picture } from './drawing.tsx';
import styles from './empty-state.module.css';

type EmptyStateProps = {
  readonly title: string;
  readonly children?: ReactNode;
  /** None where something else on the page matters more. */
  readonly picture?: Picture | null;
  /** What to do about it. */
  readonly action?: ReactNode;
  /** 1 where it is the page, 2 under the page's heading, 3 inside a section. */
  readonly level?: 1 | 2 | 3;
};

/** Why there is nothing to see here, and what to do about it. */
export function EmptyState({ title, children, action, picture = 'empty', level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.empty}>
      {picture !== null && <Drawing picture={picture} />}
      <div className={styles.text}>
        <Heading className={styles.title}>{title}</Heading>
        {children !== undefined && <div className={styles.words}>{children}</div>}
        {action !== undefined && <div className={styles.action}>{action}</div>}
      </div>
    </div>
  );
}
