import { VerifiedBadge } from '../../parts/verified-badge.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardLink } from '../../ui/card.tsx';
import type { ListedTradie } from './filter-tradies.ts';
import styles from './tradie-card.module.css';

type TradieCardProps = {
  readonly tradie: Pick<ListedTradie, 'id' | 'businessName' | 'logo' | 'isVerified'>;
  readonly trades: readonly string[];
  /** Town and region; '' where they are not known. */
  readonly place: string;
};

/** A business in the directory. */
export function TradieCard({ tradie, trades, place }: TradieCardProps) {
  return (
    <Card as="article">
      <div className={styles.head}>
        <Avatar name={tradie.businessName} src={tradie.logo} />
        <div className={styles.words}>
          <h2 className={styles.name}>
            <CardLink href={`/tradie/${tradie.id}`}>{tradie.businessName}</CardLink>
          </h2>
          {place !== '' && <p className={styles.place}>{place}</p>}
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
