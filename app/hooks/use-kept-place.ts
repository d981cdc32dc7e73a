import { useEffect, useRef } from 'react';

/**
 * Where the layout of a list changes, as where a tablet is turned, another element may scroll it, and rows have other
 * heights: the item that was first in sight is first again. `layout`: what is drawn; `layoutNow`: what the window has
 * room for at this moment. `first`: the index of that item; undefined while none is.
 */
export function useKeptPlace(
  layout: string,
  layoutNow: () => string,
  first: number | undefined,
  scrollTo: (index: number) => void,
): void {
  const last = useRef({ layout, first });
  useEffect(() => {
    // What scrolled does so no more, and is at its top, before the list is drawn for the other layout.
    if (layoutNow() !== layout) return;
    const before = last.current;
    const isSame = before.layout === layout;
    last.current = { layout, first: (isSame ? first : undefined) ?? before.first };
    // At the head of the list what is above it stays in sight.
    if (!isSame && before.first !== undefined && before.first > 0) scrollTo(before.first);
  });
}
