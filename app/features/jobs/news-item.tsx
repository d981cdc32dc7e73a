import { useId, type ReactNode } from 'react';
import { Icon, type IconName } from '../../ui/icon.tsx';
import styles from './dashboard-news.module.css';

type NewsItemProps = {
  readonly icon: IconName;
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

/** One thing that happened, and what can be done about it. */
export function NewsItem({ icon, title, children, action }: NewsItemProps) {
  const id = useId();
  return (
    <li className={styles.item} aria-labelledby={id}>
      <span className={styles.icon}>
        <Icon name={icon} />
      </span>
      <div className={styles.words}>
        <h3 id={id}>{title}</h3>
        {children !== undefined && <p>{children}</p>}
        {action}
      </div>
    </li>
  );
}
