import { useReached } from '../../hooks/use-offline-reason.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { words } from '../../words/common-words.ts';
import styles from './tradie-missing.module.css';

type TradieMissingProps = { readonly why: 'reading' | 'not-found' | 'unanswered'; readonly onBack: () => void };

const toTheList = (
  <LinkButton href="/find-tradies" variant="primary">
    Find Tradies
  </LinkButton>
);

/** No profile to show: not yet, nowhere, or not on this phone. */
export function TradieMissing({ why, onBack }: TradieMissingProps) {
  const reached = useReached();
  if (why === 'reading') {
    return (
      <Page title="Tradie" width="wide" onBack={onBack}>
        <div role="status" className={styles.stack} data-waiting="">
          <VisuallyHidden>Loading profile</VisuallyHidden>
          <Card>
            <span className={styles.logo} />
            <Skeleton width="half" />
            <Skeleton />
            <Skeleton />
            <Skeleton width="short" />
          </Card>
        </div>
      </Page>
    );
  }
  if (why === 'not-found') {
    return (
      <Page title="Tradie not found" width="wide">
        <EmptyState picture="lost" title="There is no tradie at this address" action={toTheList}>
          <p>The business may have left, or the link may be cut short.</p>
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title="Tradie" width="wide">
      <EmptyState picture="offline" title={words.notHere} action={toTheList}>
        <p>This profile opens as soon as {reached}.</p>
      </EmptyState>
    </Page>
  );
}
