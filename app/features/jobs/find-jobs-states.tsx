import type { User } from '../../../shared/tables/index.ts';
import { formatMoney } from '../../../shared/lib/money.ts';
import { formatNumber } from '../../lib/format-number.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { keptHeight } from '../../hooks/use-virtual-list.ts';
import { ComeBack } from '../../parts/come-back.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { QuickButton } from '../../ui/quick-button.tsx';
import { priceWords } from '../../words/price-words.ts';
import { words } from '../../words/common-words.ts';
import { reached } from '../../words/reach-words.ts';
import styles from './browse-jobs.module.css';
import { JobSkeletons } from './job-card.tsx';
import { countNarrowing, resetFilters, type JobFilters } from './job-filters.ts';

/* What Find Jobs shows in place of its list, and beside it. */

export function TradiesOnly() {
  return (
    <Page title="Find Jobs" width="wide">
      <EmptyState
        picture="locked"
        title="Tradie Access Required"
        action={
          <LinkButton href="/become-tradie" variant="primary">
            Become a Tradie
          </LinkButton>
        }
      >
        <p>Browsing jobs is for tradies: every job in the country. {priceWords.withTrial}.</p>
      </EmptyState>
    </Page>
  );
}

export function SubscriptionRequired({ user }: { readonly user: User }) {
  return (
    <Page title="Find Jobs" width="wide">
      <EmptyState
        picture="locked"
        title="Subscription Required"
        action={
          <ComeBack user={user}>
            <LinkButton href="/dashboard">Go to Dashboard</LinkButton>
          </ComeBack>
        }
      >
        <p>Jobs you have expressed interest in are still on your dashboard.</p>
      </EmptyState>
    </Page>
  );
}

export function Unreadable() {
  return (
    <Page title="Find Jobs" width="wide">
      <EmptyState picture="lost" title="We couldn't read what is saved on this phone">
        <p>Reload the page. Nothing has been thrown away.</p>
      </EmptyState>
    </Page>
  );
}

/** Just signed in on this device: nothing is here yet. */
export function FirstVisit() {
  const { connection } = useApp();
  const { kind } = useWatched(connection);
  return (
    <Page title="Find Jobs" width="wide">
      {kind === 'online' || kind === 'slow' ? (
        <JobSkeletons label="Fetching jobs" />
      ) : (
        <EmptyState picture="offline" title={words.notHere}>
          <p>Jobs come onto this phone the first time {reached(kind)}.</p>
        </EmptyState>
      )}
    </Page>
  );
}

/** Placeholders of the height that the list had when it was left, so that Back leads to the same jobs. */
export function LoadingList({ label }: { readonly label: string }) {
  const { feed } = useSessionContext();
  return (
    <div style={{ minBlockSize: keptHeight(feed) }}>
      <JobSkeletons label={label} />
    </div>
  );
}

type NoneFoundProps = {
  readonly filters: JobFilters;
  readonly onFilters: (filters: JobFilters) => void;
  /** There are jobs, which the filters leave out. */
  readonly hasOthers: boolean;
  /** Whether all that is meant is here, or is coming, or only a part of it is here and no more comes by itself. */
  readonly among: 'all' | 'coming' | 'part';
};

/** Where nothing was found in the part that is here, that is not to say that there is nothing. */
export function NoneFound({ filters, onFilters, hasOthers, among }: NoneFoundProps) {
  const { onlyHidden, onlyShortlisted, sort } = filters;
  const leavesOut = hasOthers && (onlyHidden || onlyShortlisted || countNarrowing(filters) > 0);
  if (among === 'coming')
    return (
      <EmptyState title="No jobs found so far">
        <p>Only a part of the jobs is on this phone yet.</p>
      </EmptyState>
    );
  const isAll = among === 'all';
  const chosen = onlyShortlisted ? 'saved for later' : onlyHidden ? 'hidden' : undefined;
  return (
    <EmptyState
      title={isAll ? 'No jobs found matching your criteria' : 'No jobs found on this phone'}
      action={
        leavesOut ? (
          <QuickButton onPress={() => onFilters({ ...resetFilters, sort })}>Show all jobs</QuickButton>
        ) : undefined
      }
    >
      <p>
        {chosen !== undefined
          ? `None of the jobs you have ${chosen} is ${isAll ? 'open' : 'on this phone'} and matches your filters.`
          : isAll
            ? 'Try other words, a wider area or a higher budget.'
            : 'None of the jobs on this phone matches your filters. Those of other regions are not on it.'}
      </p>
    </EmptyState>
  );
}

type JobsOverBudgetProps = { readonly count: number; readonly budget: number; readonly onShow: () => void };

/** What the budget takes out of the list, and the way to it. Its place is kept while it is being counted. */
export function JobsOverBudget({ count: above, budget, onShow }: JobsOverBudgetProps) {
  return (
    <div className={styles.above}>
      {above > 0 && (
        <>
          <p>{`${formatNumber(above)} more above ${formatMoney(budget)}`}</p>
          <QuickButton variant="plain" onPress={onShow}>
            Show
          </QuickButton>
        </>
      )}
    </div>
  );
}
