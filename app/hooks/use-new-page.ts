import { useEffect, useRef } from 'react';

/** The server writes into the head what a page is for those who run no script (`pageHead`); on another page it is no longer true. */
export function useNewPage(pathname: string): void {
  const first = useRef(pathname);
  useEffect(() => {
    if (pathname === first.current) return;
    for (const element of document.head.querySelectorAll('[data-page]')) element.remove();
  }, [pathname]);
}
