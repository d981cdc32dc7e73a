import { useContext, type AnchorHTMLAttributes, type MouseEvent, type ReactNode } from 'react';
import { NavigateContext } from './navigate-context.ts';

type TextLinkProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style'> & {
  readonly href: string;
  readonly children: ReactNode;
};

/**
 * A link inside text or a list: an `<a>` and nothing more, so that it works before the app does. A plain click on a path of this
 * app goes there without a reload; anything else (a new tab, a download, another site) is the browser's affair.
 */
export function TextLink({ href, children, onClick, ...rest }: TextLinkProps) {
  const navigate = useContext(NavigateContext);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (
      navigate === undefined ||
      event.defaultPrevented ||
      !isPlain ||
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
