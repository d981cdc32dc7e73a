import { useCallback } from 'react';
import { useMedia } from '../../hooks/use-media.ts';
import { useVirtualList } from '../../hooks/use-virtual-list.ts';
import { placeName, type ReferenceLists } from '../../lib/reference-lists.ts';
import type { ListedTradie } from './filter-tradies.ts';
import { TradieCard } from './tradie-card.tsx';
import styles from './tradie-list.module.css';

type TradieListProps = {
  readonly tradies: readonly ListedTradie[];
  readonly lists: ReferenceLists;
  /**
   * An object that lives as long as this app does: row heights are kept by it, so that one comes back to the same
   * place.
   */
  readonly keeper: object;
};

const likelyHeight = 170;
const twoColumns = '(min-width: 78rem)';

/** Only the rows near the screen are in the page; each card says which of how many it is. */
export function TradieList({ tradies, lists, keeper }: TradieListProps) {
  const columns = useMedia(twoColumns) ? 2 : 1;
  const { list, virtual, offsetOf } = useVirtualList<HTMLDivElement>({
    rows: Math.ceil(tradies.length / columns),
    columns,
    likelyHeight,
    keyOf: useCallback((row: number) => tradies[row * columns]?.id ?? row, [tradies, columns]),
    keeper,
  });

  return (
    <div role="list" ref={list} className={styles.list} style={{ blockSize: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map((row) => (
        <div
          key={row.key}
          ref={virtual.measureElement}
          data-index={row.index}
          className={styles.row}
          data-columns={columns}
          style={{ transform: `translateY(${offsetOf(row)}px)` }}
        >
          {tradies.slice(row.index * columns, (row.index + 1) * columns).map((tradie, column) => (
            <div
              role="listitem"
              key={tradie.id}
              aria-setsize={tradies.length}
              aria-posinset={row.index * columns + column + 1}
              className={styles.item}
            >
              <TradieCard
                tradie={tradie}
                trades={tradie.categoryIds.map((id) => lists.categoryName(id)).filter((name) => name !== undefined)}
                place={placeOf(tradie, lists)}
              />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function placeOf({ locationId }: ListedTradie, lists: ReferenceLists): string {
  const place = lists.place(locationId);
  return place === undefined ? '' : placeName(place);
}
