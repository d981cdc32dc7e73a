import { useEffect, useRef } from 'react';

/**
 * The server writes a page's head for readers that run no script (`pageHead`); after a navigation it is no longer true.
 */
export function useNewPage(pathname: string): void {
  const first = useRef(pathname);
  useEffect(() => {
    if (pathname === first.current) return;
    for (const element of document.head.querySelectorAll('[data-page]')) element.remove();
  }, [pathname]);
}
