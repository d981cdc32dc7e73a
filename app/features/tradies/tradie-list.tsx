import { useCallback } from 'react';
import { useMedia } from '../../hooks/use-media.ts';
import { useVirtualList } from '../../hooks/use-virtual-list.ts';
import { placeName, type ReferenceLists } from '../../lib/reference-lists.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardLink } from '../../ui/card.tsx';
import type { ListedTradie } from './filter-tradies.ts';
import styles from './tradie-list.module.css';
import { VerifiedBadge } from '../../parts/verified-badge.tsx';

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
              <TradieCard tradie={tradie} lists={lists} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

type TradieCardProps = { readonly tradie: ListedTradie; readonly lists: ReferenceLists };

function TradieCard({ tradie, lists }: TradieCardProps) {
  const place = lists.place(tradie.locationId);
  const trades = tradie.categoryIds.map((id) => lists.categoryName(id)).filter((name) => name !== undefined);
  return (
    <Card as="article">
      <div className={styles.head}>
        <Avatar name={tradie.businessName} src={tradie.logo} />
        <div className={styles.words}>
          <h2 className={styles.name}>
            <CardLink href={`/tradie/${tradie.id}`}>{tradie.businessName}</CardLink>
          </h2>
          {place !== undefined && <p className={styles.place}>{placeName(place)}</p>}
        </div>
      </div>
      {(tradie.isVerified || trades.length > 0) && (
        <div className={styles.badges}>
          {tradie.isVerified && <VerifiedBadge />}
          {trades.map((name) => (
            <Badge key={name}>{name}</Badge>
          ))}
        </div>
      )}
    </Card>
  );
}
