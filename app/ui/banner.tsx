import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import styles from './banner.module.css';

export type BannerTone = 'good' | 'info' | 'warn' | 'bad';

type BannerProps = {
  readonly tone: BannerTone;
  readonly title?: string;
  readonly children?: ReactNode;
  /** Buttons or links under the words. */
  readonly actions?: ReactNode;
  /** Gives it a cross. */
  readonly onDismiss?: () => void;
  /** Spoken when it appears: 'status' politely, 'alert' at once, 'none' for what was there from the start. */
  readonly announce?: 'status' | 'alert' | 'none';
};

const icons: Record<BannerTone, IconName> = { good: 'checkCircle', info: 'info', warn: 'alert', bad: 'crossCircle' };

/** A message that stays on the page until it is dismissed or no longer true. */
export function Banner({ tone, title, children, actions, onDismiss, announce = 'status' }: BannerProps) {
  return (
    <div className={styles.banner} data-tone={tone} role={announce === 'none' ? undefined : announce}>
      <span className={styles.icon}>
        <Icon name={icons[tone]} />
      </span>
      <div className={styles.words}>
        {title !== undefined && <p className={styles.title}>{title}</p>}
        {children !== undefined && <div>{children}</div>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {onDismiss !== undefined && <Button variant="plain" icon="cross" iconOnlyLabel="Dismiss" onPress={onDismiss} />}
    </div>
  );
}
