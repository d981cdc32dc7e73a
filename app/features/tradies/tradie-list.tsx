import { useWindowVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import type { ListedTradie } from './filter-tradies.ts';
import { TradieCard } from './tradie-card.tsx';
import styles from './tradie-list.module.css';

type TradieListProps = {
  readonly tradies: readonly ListedTradie[];
  readonly lists: ReferenceLists;
  /** Whatever lives as long as this app does: row heights are kept by it, so that one comes back to the same place. */
  readonly keeper: object;
};

const likelyHeight = 170;
const heights = new WeakMap<object, { columns: number; rows: VirtualItem[] }>();
const twoColumns = '(min-width: 78rem)';

function useColumns(): number {
  const isWide = useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(twoColumns);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => window.matchMedia(twoColumns).matches,
  );
  return isWide ? 2 : 1;
}

/** Where the list begins on the page; what stands above it may open and close. */
function useTop(list: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const look = () => {
      const box = list.current?.getBoundingClientRect();
      if (box !== undefined) setTop(Math.round(box.top + window.scrollY));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [list]);
  return top;
}

/** Only the rows near the screen are in the page; each card says which of how many it is. */
export function TradieList({ tradies, lists, keeper }: TradieListProps) {
  const list = useRef<HTMLDivElement>(null);
  const columns = useColumns();
  const top = useTop(list);
  const kept = heights.get(keeper);
  // oxlint-disable-next-line react/incompatible-library -- no compiler is in use; nothing memoises what the virtualizer changes
  const virtual = useWindowVirtualizer({
    count: Math.ceil(tradies.length / columns),
    estimateSize: () => likelyHeight,
    overscan: 6,
    scrollMargin: top,
    getItemKey: (row) => tradies[row * columns]?.id ?? row,
    ...(kept?.columns === columns ? { initialMeasurementsCache: kept.rows } : {}),
  });
  useLayoutEffect(() => () => void heights.set(keeper, { columns, rows: [...virtual.measurementsCache] }), [columns, keeper, virtual]);

  return (
    <div role="list" ref={list} className={styles.list} style={{ blockSize: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((row) => (
        <div
          key={row.key}
          ref={virtual.measureElement}
          data-index={row.index}
          className={styles.row}
          data-columns={columns}
          style={{ transform: `translateY(${row.start - top}px)` }}
        >
          {tradies.slice(row.index * columns, (row.index + 1) * columns).map((tradie, column) => (
            <div role="listitem" key={tradie.id} aria-setsize={tradies.length} aria-posinset={row.index * columns + column + 1} className={styles.item}>
              <TradieCard tradie={tradie} lists={lists} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}
