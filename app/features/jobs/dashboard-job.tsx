import { formatMoney } from '../../../shared/lib/money.ts';
import type { Job } from '../../../shared/tables/index.ts';
import { placeWords, type ReferenceLists } from '../../lib/reference-lists.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card, CardLink } from '../../ui/card.tsx';
import type { ItemState } from '../../words/item-state.ts';
import { count } from '../../words/promises.ts';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import styles from './dashboard-job.module.css';
import { UrgencyBadge } from './urgency-badge.tsx';

type DashboardJobProps = {
  readonly job: Job;
  readonly lists: ReferenceLists;
  readonly isOwn: boolean;
  readonly state: ItemState | undefined;
};

/** One job on the dashboard. */
export function DashboardJob({ job, lists, isOwn, state }: DashboardJobProps) {
  const isActive = job.status === 'active';
  return (
    <Card as="article">
      <div className={styles.head}>
        <h3 className={styles.title}>
          <CardLink href={`/job/${job.id}`}>{job.title}</CardLink>
        </h3>
        <Badge tone={isActive ? 'good' : 'neutral'}>{isActive ? 'active' : 'Closed'}</Badge>
      </div>
      <p className={styles.facts}>
        <span>{placeWords(lists, job)}</span>
        {job.budgetMax !== null && <span>Max Budget: {formatMoney(job.budgetMax)}</span>}
        {isOwn && isActive && job.interestCount > 0 && <span>{count(job.interestCount, 'tradie')} interested</span>}
      </p>
      <div className={styles.badges}>
        <UrgencyBadge urgency={job.urgency} />
        <ItemStateBadge state={state} />
      </div>
    </Card>
  );
}
