import { Card } from '../../ui/card.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import styles from './tradie-skeletons.module.css';

/** The places of three cards while the tradies are loading. */
export function TradieSkeletons() {
  return (
    <div role="status" className={styles.list} data-waiting="">
      <VisuallyHidden>Loading tradies</VisuallyHidden>
      {[1, 2, 3].map((at) => (
        <div key={at} data-placeholder="">
          <Card>
            <div className={styles.head}>
              <span className={styles.logo} />
              <Skeleton width="half" />
            </div>
            <Skeleton />
          </Card>
        </div>
      ))}
    </div>
  );
}
