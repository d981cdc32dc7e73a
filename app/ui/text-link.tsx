import { useContext, type AnchorHTMLAttributes, type MouseEvent, type ReactNode } from 'react';
import { NavigateContext } from './navigate-context.ts';

type TextLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style'> & {
  readonly href: string;
  readonly children: ReactNode;
};

/**
 * A link inside text or a list: an `<a>` and nothing more, so that it works before the app does. A plain click on a
 * path of this app goes there without a reload; anything else (a new tab, a download, another site) is the browser's
 * affair.
 */
export function TextLink({ href, children, onClick, ...rest }: TextLinkProps) {
  const navigate = useContext(NavigateContext);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (
      navigate === undefined ||
      event.defaultPrevented ||
      !isPlainClick(event) ||
      rest.target !== undefined ||
      !href.startsWith('/')
    )
      return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a {...rest} href={href} onClick={follow}>
      {children}
    </a>
  );
}

/** The person means this tab: not a new one, and not a download. */
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
