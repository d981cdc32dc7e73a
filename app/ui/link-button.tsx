import type { ComponentProps } from 'react';
import type { ButtonVariant } from './quick-button.tsx';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icon.tsx';
import { TextLink } from './text-link.tsx';
import styles from './button.module.css';

type LinkButtonProps = Omit<ComponentProps<typeof TextLink>, 'className'> & {
  readonly variant?: ButtonVariant;
  readonly icon?: IconName;
  readonly isWide?: boolean;
};

/** A link that looks like a button: it goes somewhere, so it is a real `<a>` that opens in a new tab when asked. */
export function LinkButton({ children, variant = 'quiet', icon, isWide = false, ...rest }: LinkButtonProps) {
  return (
    <TextLink {...rest} className={cx(styles.button, styles[variant], isWide && styles.wide)}>
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </TextLink>
  );
}
