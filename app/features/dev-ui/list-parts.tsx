import { UrgencyBadge } from '../../parts/urgency-badge.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { CardLink, Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { samplePhotos } from './samples.ts';
import styles from './dev-ui.module.css';

const pictured = {
  done: 'Everything has been sent',
  locked: 'Subscription Required',
  offline: 'Not saved on this phone yet',
  lost: "There's no page at this address",
} as const;

/** Cards, and what is shown in place of cards. */
export function ListParts() {
  return (
    <>
      <div className={styles.columns}>
        <Card as="article">
          <h3>
            <CardLink href="/job/1">Replace the joists under an old deck</CardLink>
          </h3>
          <p>The old deck is 4 by 6 m and the joists have gone at the house end. Access is good from the drive.</p>
          <div className={styles.meta}>
            <span>
              <Icon name="pin" size="sm" />
              Whangārei, Northland
            </span>
            <span>
              <Icon name="dollar" size="sm" />
              Max Budget: $12,500
            </span>
            <span>
              <Icon name="calendar" size="sm" />
              13 Oct 2025
            </span>
          </div>
          <div className={styles.row}>
            <UrgencyBadge urgency="soon" />
            <Badge icon="check" tone="good">
              Interest Expressed
            </Badge>
          </div>
          <PhotoStrip photos={samplePhotos} limit={3} />
        </Card>
        <Card as="article">
          <div className={styles.head}>
            <Avatar name="Kererū Building Ltd" />
            <h3>
              <CardLink href="/tradie/1">Kererū Building Ltd</CardLink>
            </h3>
          </div>
          <div className={styles.row}>
            <Badge icon="shield" tone="good">
              Verified Business
            </Badge>
            <Badge>Builder</Badge>
            <Badge>Roofer</Badge>
          </div>
        </Card>
        <SkeletonCards count={2} label="Loading jobs" />
      </div>
      <EmptyState
        title="No jobs found matching your criteria"
        action={<LinkButton href="/find-jobs">Reset filters</LinkButton>}
      >
        Try a wider region or a higher budget.
      </EmptyState>
      {(['done', 'locked', 'offline', 'lost'] as const).map((picture) => (
        <EmptyState key={picture} picture={picture} title={pictured[picture]} />
      ))}
      <Card as="section">
        <Spinner size="lg" label="Loading application..." />
      </Card>
    </>
  );
}
