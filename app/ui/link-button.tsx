import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-aria-components/Link';
import type { ButtonVariant } from './button.tsx';
import { cx } from './cx.ts';
import { Icon, type IconName } from './icon.tsx';
import styles from './button.module.css';

type LinkButtonProps = Omit<LinkProps, 'children' | 'className' | 'style'> & {
  readonly href: string;
  readonly children: ReactNode;
  readonly variant?: ButtonVariant;
  readonly icon?: IconName;
  readonly isWide?: boolean;
};

/** A link that looks like a button: it goes somewhere, so it is a real `<a>` that opens in a new tab when asked. */
export function LinkButton({ children, variant = 'quiet', icon, isWide = false, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={cx(styles.button, styles[variant], isWide && styles.wide)}>
      {icon !== undefined && <Icon name={icon} />}
      <span>{children}</span>
    </Link>
  );
}
