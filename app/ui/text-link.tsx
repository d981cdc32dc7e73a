import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-aria-components/Link';

type TextLinkProps = Omit<LinkProps, 'children' | 'style'> & { readonly href: string; readonly children: ReactNode };

/** A link inside text or a list. Goes through the router given to `UiProvider`, so nothing reloads. */
export function TextLink(props: TextLinkProps) {
  return <Link {...props} />;
}
