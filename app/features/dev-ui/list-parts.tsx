import { useState } from 'react';
import { UrgencyBadge } from '../../parts/urgency-badge.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { CardLink, Card } from '../../ui/card.tsx';
import { Chip } from '../../ui/chip.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { urgencies } from '../../words/urgency.ts';
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
  const [isOn, setOn] = useState(true);
  return (
    <>
      <Card as="section" labelledBy="chips">
        <h2 id="chips">Chips</h2>
        <div className={styles.row}>
          <Chip isOn={isOn} onPress={() => setOn(!isOn)}>
            My trades near me
          </Chip>
          <Chip isOn={!isOn} news="3 new" onPress={() => setOn(!isOn)}>
            Roofs in Otago
          </Chip>
          <Chip icon="bell" onPress={() => undefined}>
            Tomorrow, 7 am
          </Chip>
          <Chip icon="plus" adds onPress={() => undefined}>
            Save this search
          </Chip>
        </div>
        <p>
          Among words of its own a link looks <TextLink href="/find-jobs">as this one does</TextLink>, and is read with
          them.
        </p>
      </Card>
      <div className={styles.columns}>
        <Card as="section" labelledBy="surface">
          <h3 id="surface">A surface: it belongs together</h3>
          <PhotoStrip photos={samplePhotos} limit={3} />
        </Card>
        <Card as="article">
          <h3>
            <CardLink href="/job/1">A border: press me</CardLink>
          </h3>
          <div className={styles.row}>
            {urgencies.map((urgency) => (
              <UrgencyBadge key={urgency} urgency={urgency} />
            ))}
          </div>
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
