import type { ReactNode } from 'react';
import type { User } from '../../../shared/tables/index.ts';
import { useReached } from '../../hooks/use-offline-reason.ts';
import { ComeBack } from '../../parts/come-back.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { formatDay } from '../../words/dates.ts';
import { isBeingRestored, type UnsyncedNow } from '../../words/item-state.ts';
import { jobOf } from '../../words/mutation-words.ts';
import { words } from '../../words/common-words.ts';

const backToJobs = (
  <LinkButton href="/find-jobs" variant="primary">
    Back to Jobs
  </LinkButton>
);

type JobMissingProps = {
  readonly why: 'reading' | 'restoring' | 'not-found' | 'unanswered' | 'failed';
  /** The page's heading where that is not what is missing. */
  readonly title?: string;
  /** The job's own title, where this phone still has it. */
  readonly known?: string;
  /** A link to where to go instead. */
  readonly action?: ReactNode;
  /** What this phone still has about it. */
  readonly note?: ReactNode;
};

/** Why nothing is shown of a job that is not on this phone, by what its link says and what of it waits here. */
export function whyMissing(
  byLink: 'reading' | 'ready' | 'not-found' | 'unanswered',
  jobId: string,
  onItsWay: Pick<UnsyncedNow, 'outbox'> | undefined,
): JobMissingProps['why'] {
  if (byLink === 'ready' || byLink === 'reading') return 'reading';
  const isRestored = onItsWay?.outbox.some((entry) => isBeingRestored(entry) && jobOf(entry) === jobId);
  return isRestored === true ? 'restoring' : byLink;
}

/** No job to show: not yet, not any more, or not on this phone. */
export function JobMissing({ why, known, title = known ?? 'Job', action = backToJobs, note }: JobMissingProps) {
  const reached = useReached();
  if (why === 'reading') {
    return (
      <Page title={title} width="wide">
        <SkeletonCards count={1} label="Loading job" />
      </Page>
    );
  }
  if (why === 'restoring') {
    return (
      <Page title={title} width="wide">
        {note}
        <EmptyState picture="offline" title="This job is being restored" action={action}>
          <p>
            Dwang was put back to an earlier copy. The job comes back once the phone that posted it has signal; what you
            did with it is kept on this phone until then.
          </p>
        </EmptyState>
      </Page>
    );
  }
  if (why === 'not-found') {
    return (
      <Page title={known ?? 'Job not found'} width="wide">
        {note}
        <EmptyState
          picture="lost"
          title={known === undefined ? "This job isn't there" : 'Job not found'}
          action={action}
        >
          <p>It may have been closed, or the link may be cut short.</p>
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page title={title} width="wide">
      <EmptyState
        picture={why === 'failed' ? 'lost' : 'offline'}
        title={why === 'failed' ? "We couldn't read what is saved on this phone" : words.notHere}
        action={action}
      >
        <p>
          {why === 'failed' ? 'Reload the page. Nothing has been thrown away.' : `It opens here as soon as ${reached}.`}
        </p>
      </EmptyState>
    </Page>
  );
}

type JobBehindSubscriptionProps = { readonly user: User; readonly note: ReactNode };

/** The feed may have the job, and is not shown past the subscription's date. */
export function JobBehindSubscription({ user, note }: JobBehindSubscriptionProps) {
  const { subscriptionValidUntil: end } = user;
  return (
    <Page title="Job" width="wide">
      {note}
      <EmptyState
        picture="locked"
        title="Subscription Required"
        action={
          <ComeBack user={user}>
            <LinkButton href="/dashboard">Go to Dashboard</LinkButton>
          </ComeBack>
        }
      >
        <p>
          {end === null
            ? 'Your subscription is not running. '
            : `By this phone's date your subscription ended on ${formatDay(end)}. `}
          Jobs you have expressed interest in are still on your dashboard.
        </p>
      </EmptyState>
    </Page>
  );
}
