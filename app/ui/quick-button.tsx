import type { ReactNode } from 'react';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './button.module.css';

export type ButtonVariant = 'primary' | 'quiet' | 'plain' | 'danger';

type QuickButtonProps = {
  readonly onPress: () => void;
  readonly children?: ReactNode;
  readonly variant?: ButtonVariant;
  readonly icon?: IconName;
  /** Only the icon is seen; the label is still spoken. */
  readonly iconOnlyLabel?: string;
  /** It opens a menu, and says so. */
  readonly hasMenu?: boolean;
  /** The pointer or the focus is on it: a press may follow. */
  readonly onReach?: () => void;
};

/**
 * `Button` without React Aria, for what must be small: the frame and the pages that come before everything else. Never
 * disabled, never busy.
 */
export function QuickButton({
  onPress,
  children,
  variant = 'quiet',
  icon,
  iconOnlyLabel,
  hasMenu = false,
  onReach,
}: QuickButtonProps) {
  return (
    <button
      type="button"
      aria-label={iconOnlyLabel}
      aria-haspopup={hasMenu ? 'menu' : undefined}
      className={cx(styles.button, styles[variant], iconOnlyLabel !== undefined && styles.iconOnly)}
      onClick={onPress}
      onPointerEnter={onReach}
      onFocus={onReach}
    >
      {icon !== undefined && <Icon name={icon} />}
      {iconOnlyLabel === undefined && <span>{children}</span>}
    </button>
  );
}
