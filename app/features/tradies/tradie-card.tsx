import { placeName, type ReferenceLists } from '../../lib/reference-lists.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardLink } from '../../ui/card.tsx';
import type { ListedTradie } from './filter-tradies.ts';
import styles from './tradie-card.module.css';
import { VerifiedBadge } from './verified-badge.tsx';

type TradieCardProps = { readonly tradie: ListedTradie; readonly lists: ReferenceLists };

export function TradieCard({ tradie, lists }: TradieCardProps) {
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
