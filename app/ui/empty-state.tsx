import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

type EmptyStateProps = {
  readonly title: string;
  readonly children?: ReactNode;
  /** What to do about it. */
  readonly action?: ReactNode;
  /** 1 where it is the page, 2 under the page's heading, 3 inside a section. */
  readonly level?: 1 | 2 | 3;
};

/** Nothing here yet, said kindly. The picture is a wall frame with one dwang still to be fitted. */
export function EmptyState({ title, children, action, level = 2 }: EmptyStateProps) {
  const Heading = `h${level}` as const;
  return (
    <div className={styles.empty}>
      <svg className={styles.frame} viewBox="0 0 200 96" aria-hidden="true" focusable="false">
        <path
          className={styles.timber}
          d="M2 2h196v10H2zM2 84h196v10H2zM10 12h9v72h-9zM67 12h9v72h-9zM124 12h9v72h-9zM181 12h9v72h-9z"
        />
        <path className={styles.timber} d="M19 40h48v9H19zM133 40h48v9h-48z" />
        <path className={styles.missing} d="M77 51h46v9H77z" />
      </svg>
      <div className={styles.text}>
        <Heading className={styles.title}>{title}</Heading>
        {children !== undefined && <div className={styles.words}>{children}</div>}
        {action}
      </div>
    </div>
  );
}
