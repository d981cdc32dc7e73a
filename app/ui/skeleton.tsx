import { Card } from './card.tsx';
import { VisuallyHidden } from './visually-hidden.tsx';
import styles from './skeleton.module.css';

/** A grey stand-in for a line of text, as wide as its place where no width is given. */
export function Skeleton({ width }: { readonly width?: 'half' | 'short' }) {
  return <span className={styles.line} data-width={width} aria-hidden="true" />;
}

/** Stand-ins for a list of cards that is still coming. Said once to a screen reader. */
export function SkeletonCards({ count = 3, label = 'Loading' }: { readonly count?: number; readonly label?: string }) {
  return (
    <div className={styles.list} role="status" data-waiting="">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        <Card key={index}>
          <Skeleton width="half" />
          <Skeleton />
          <Skeleton width="short" />
        </Card>
      ))}
    </div>
  );
}
