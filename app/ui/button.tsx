import type { ReactNode, Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icon.tsx';
import { Spinner } from './spinner.tsx';
import type { ButtonVariant } from './quick-button.tsx';
import styles from './button.module.css';

export type ButtonProps = Omit<AriaButtonProps, 'children' | 'className' | 'isPending' | 'style'> & {
  readonly children?: ReactNode;
  readonly ref?: Ref<HTMLButtonElement>;
  /** One primary a screen; quiet beside it; plain inside bars and lists; danger for what cannot be undone. */
  readonly variant?: ButtonVariant;
  readonly icon?: IconName;
  /** While true presses are ignored, focus stays, and a screen reader hears that it is under way. */
  readonly isBusy?: boolean;
  /** What the button says while busy, as "Processing...". */
  readonly busyText?: string;
  /** Makes it as wide as its container. */
  readonly isWide?: boolean;
  /** Only the icon is seen; the label is still spoken. */
  readonly iconOnlyLabel?: string;
};

/** A button, 48 px high at least. Use `onPress`. */
export function Button({
  children,
  variant = 'quiet',
  icon,
  isBusy = false,
  busyText,
  isWide = false,
  iconOnlyLabel,
  ...rest
}: ButtonProps) {
  const named = iconOnlyLabel === undefined ? {} : { 'aria-label': iconOnlyLabel };
  return (
    <AriaButton
      {...rest}
      {...named}
      isPending={isBusy}
      className={cx(
        styles.button,
        styles[variant],
        isWide && styles.wide,
        iconOnlyLabel !== undefined && styles.iconOnly,
      )}
    >
      {isBusy ? <Spinner size="sm" /> : icon !== undefined && <Icon name={icon} />}
      {iconOnlyLabel === undefined && <span>{isBusy ? (busyText ?? children) : children}</span>}
    </AriaButton>
  );
}
