import type { Interest } from '../../../shared/tables/index.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import type { Person } from '../../context/watch-person.ts';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { formatDay } from '../../words/dates.ts';
import type { ItemState } from '../../words/item-state.ts';
import { words } from '../../words/promises.ts';
import { ExpressInterest } from './express-interest.tsx';
import type { JobFacts } from './job-facts.ts';
import styles from './tradie-part.module.css';

type TradiePartProps = {
  readonly job: JobFacts;
  /** Null while the person's own row has not come yet. */
  readonly person: Person | null;
  readonly interest: Interest | null;
  /** How far this tradie's interest has come, while it is unsynced. */
  readonly interestState: ItemState | undefined;
  readonly goTo: (path: string) => void;
};

/** What a viewer other than the owner sees under a job. */
export function TradiePart({ job, person, interest, interestState, goTo }: TradiePartProps) {
  const { objection } = useMutation('interest.express', job);
  if (job.status === 'closed') {
    return (
      <Banner tone="info" announce="none">
        {interest === null
          ? 'This job is closed and no longer accepting interest'
          : 'You expressed interest in this job (now closed)'}
      </Banner>
    );
  }
  if (interest !== null) return <Expressed interest={interest} state={interestState} />;
  if (person === null) return null;
  if (objection === undefined) return <ExpressInterest job={job} isPastEnd={!person.hasSubscription} goTo={goTo} />;
  if (objection.code !== 'subscription-required') {
    return (
      <EmptyState
        title="Tradie Access Required"
        action={
          <LinkButton href="/become-tradie" variant="primary">
            Become a Tradie
          </LinkButton>
        }
      >
        <p>Tradies with a subscription can express interest in this job.</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Subscription Required"
      action={
        <LinkButton href="/dashboard" variant="primary">
          Go to Dashboard
        </LinkButton>
      }
    >
      <p>Your subscription isn't running, so interest can't be sent.</p>
    </EmptyState>
  );
}

function Expressed({ interest, state }: { readonly interest: Interest; readonly state: ItemState | undefined }) {
  const isOnItsWay = state !== undefined && state.kind !== 'photos';
  const note = interest.note === '' ? null : <blockquote className={styles.note}>{interest.note}</blockquote>;
  if (isOnItsWay) {
    return (
      <Banner tone="warn" title={state.words}>
        <p>
          {state.kind === 'saved'
            ? "We'll send your interest when you're back in coverage."
            : 'Your interest is on its way.'}
        </p>
        {note}
        {state.kind === 'failed' && <LinkButton href="/waiting">{words.couldntSend}</LinkButton>}
      </Banner>
    );
  }
  return (
    <Banner tone="good" title="You have expressed interest in this job" announce="none">
      <p>Since {formatDay(interest.createdAt)} the homeowner has your details and can contact you.</p>
      {note}
    </Banner>
  );
}
