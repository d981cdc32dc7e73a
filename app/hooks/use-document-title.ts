import { useEffect } from 'react';

/** Names the page in the tab, for a page that has no `Page` heading. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Dwang`;
  }, [title]);
}
