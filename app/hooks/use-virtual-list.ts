import {
  defaultRangeExtractor,
  measureElement,
  useVirtualizer,
  useWindowVirtualizer,
  type Range,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { keepMeasuredRows, measuredRows } from '../lib/measured-rows.ts';

/**
 * How tall the list of this keeper was when it was last left, in pixels. A page that holds this place is scrolled back
 * to where it was.
 */
export function keptHeight(keeper: object): number | undefined {
  return measuredRows(keeper)?.height;
}

/** A scroll container of a list: the router restores its scroll position by this attribute. */
const scrollContainer = '[data-scroll-restoration-id]';

/** The place in what scrolls where the list begins; what is above it may open and close. */
function useTop(list: RefObject<HTMLElement | null>, hasContainer: boolean): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const container = hasContainer ? list.current?.closest(scrollContainer) : undefined;
    const look = () => {
      const box = list.current?.getBoundingClientRect();
      const begin = container ? container.getBoundingClientRect().top - container.scrollTop : -window.scrollY;
      if (box !== undefined) setTop(Math.round(box.top - begin));
    };
    look();
    const observer = new ResizeObserver(look);
    for (const part of [document.body, ...(container?.children ?? [])]) observer.observe(part);
    return () => observer.disconnect();
  }, [list, hasContainer]);
  return top;
}

/**
 * Which rows are in the page: those in sight, and the one that has the focus with its neighbours, so that Tab goes on
 * from there however far one has scrolled.
 */
function useRowsInPage(list: RefObject<HTMLElement | null>): (range: Range) => number[] {
  // State, not a ref: the next row must be in the page before the next press of Tab, however quick.
  const [focused, setFocused] = useState<number>();
  useEffect(() => {
    const { current } = list;
    const note = (event: FocusEvent) => {
      // The target, known before the focus has left: its row must not be removed in between.
      const to = event.type === 'focusin' ? event.target : event.relatedTarget;
      const row = to instanceof Element ? to.closest('[data-index]') : null;
      setFocused(row === null ? undefined : Number(row.getAttribute('data-index')));
    };
    current?.addEventListener('focusin', note);
    current?.addEventListener('focusout', note);
    return () => {
      current?.removeEventListener('focusin', note);
      current?.removeEventListener('focusout', note);
    };
  }, [list]);
  return useCallback(
    (range) => {
      const rows = defaultRangeExtractor(range);
      if (focused === undefined) return rows;
      const kept = [focused - 1, focused, focused + 1].filter((row) => row >= 0 && row < range.count);
      return [...new Set([...rows, ...kept])].toSorted((one, other) => one - other);
    },
    [focused],
  );
}

type VirtualListOptions = {
  readonly rows: number;
  readonly columns?: number;
  /** In pixels, until a row has been measured. */
  readonly likelyHeight: number;
  /** The same function while the rows are the same. */
  readonly keyOf: (row: number) => string | number;
  readonly keeper: object;
  /** Its nearest ancestor with `data-scroll-restoration-id` scrolls it, and not the window. */
  readonly hasContainer?: boolean;
  /** Where the container was scrolled to when it was left, in pixels. */
  readonly lastTop?: number | undefined;
};

/**
 * A list of which only the rows near the screen are in the page. After Back it is at its former scroll position.
 */
export function useVirtualList<List extends HTMLElement>({
  rows,
  columns = 1,
  likelyHeight,
  keyOf,
  keeper,
  hasContainer = false,
  lastTop = 0,
}: VirtualListOptions): {
  list: RefObject<List | null>;
  virtual: Virtualizer<Window, Element> | Virtualizer<Element, Element>;
  /** This row's offset from the top of the list. */
  offsetOf: (row: VirtualItem) => number;
  /** The row to which `scrollToIndex` with `align: 'start'` would lead to this place; undefined until it is known. */
  firstRow: number | undefined;
} {
  const list = useRef<List>(null);
  const top = useTop(list, hasContainer);
  const rangeExtractor = useRowsInPage(list);
  const before = measuredRows(keeper);
  const options = {
    count: rows,
    estimateSize: () => likelyHeight,
    overscan: 6,
    rangeExtractor,
    scrollMargin: top,
    getItemKey: keyOf,
    // A row that is not shown for a moment is said to have no height: taken at its word, the list would go on from
    // another place.
    measureElement: <Scrolls extends Window | Element>(
      row: Element,
      entry: ResizeObserverEntry | undefined,
      measured: Virtualizer<Scrolls, Element>,
    ) =>
      measureElement(row, entry, measured) ||
      (measured.measurementsCache[measured.indexFromElement(row)]?.size ?? likelyHeight),
    ...(before?.columns === columns ? { initialMeasurementsCache: before.rows } : {}),
  };
  // oxlint-disable-next-line react/incompatible-library -- no compiler is in use; nothing memoises what the virtualizer changes
  const inWindow = useWindowVirtualizer({
    ...options,
    enabled: !hasContainer,
    // What stands at the top of the window hides nothing that is scrolled to.
    scrollPaddingStart: 190,
    scrollPaddingEnd: 80,
  });
  // oxlint-disable-next-line react/incompatible-library -- as above
  const inContainer = useVirtualizer<Element, Element>({
    ...options,
    enabled: hasContainer,
    initialOffset: lastTop,
    getScrollElement: () => list.current?.closest(scrollContainer) ?? null,
  });
  const virtual = hasContainer ? inContainer : inWindow;
  useLayoutEffect(
    () => () =>
      keepMeasuredRows(keeper, { columns, rows: [...virtual.measurementsCache], height: virtual.getTotalSize() }),
    [columns, keeper, virtual],
  );
  const { scrollOffset, range } = virtual;
  // Two pixels further: an offset may be rounded.
  const edge = (scrollOffset ?? 0) + virtual.options.scrollPaddingStart + 2;
  const firstRow = range === null ? undefined : virtual.getVirtualItemForOffset(edge)?.index;
  return { list, virtual, offsetOf: (row) => row.start - top, firstRow };
}
