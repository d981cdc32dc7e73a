import { useEffect, useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { Interest } from '../../../shared/tables/index.ts';
import { useApp } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import type { Person } from '../../context/watch-person.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useOfferAlerts } from '../../hooks/use-offer-alerts.ts';
import { useTypedText } from '../../hooks/use-typed-text.ts';
import { ComeBack } from '../../parts/come-back.tsx';
import { OfferedAlerts } from '../../parts/offered-alerts.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { formatDay } from '../../words/dates.ts';
import type { ItemState } from '../../words/item-state.ts';
import { interestStatus } from '../../words/interest-status.ts';
import { words } from '../../words/common-words.ts';
import type { ConnectionKind } from '../../words/connection-words.ts';
import { onceReached } from '../../words/reach-words.ts';
import { baseOfJob, interestDraftOf, type JobFacts } from './job-facts.ts';
import { NoteField } from './note-field.tsx';
import styles from './tradie-part.module.css';
import { UnsentNote } from './unsent-note.tsx';
import { useHideJob } from './use-hide-job.ts';

type TradiePartProps = {
  readonly job: JobFacts;
  /** Null while the person's own row has not come yet. */
  readonly person: Person | null;
  readonly interest: Interest | null;
  /** How far this tradie's interest has come, while it is unsynced. */
  readonly interestState: ItemState | undefined;
  /** Leads to the list from a job that was hidden on its own page; beside the list, the list opens the next one. */
  readonly goTo?: ((path: string) => void) | undefined;
  /** How high the note is at first, in lines. */
  readonly noteRows?: number;
  /** What was sent came too late, and is said with its note elsewhere on the page. */
  readonly isRejected?: boolean;
};

/**
 * What a viewer other than the owner sees with a job. Once the interest is expressed, or the job closed, the keyboard
 * goes on from the words of it.
 */
export function TradiePart(props: TradiePartProps) {
  const part = useRef<HTMLDivElement>(null);
  const isExpressed = isSaved(props);
  const isOver = isExpressed || props.job.status === 'closed';
  const wasOver = useRef(isOver);
  useEffect(() => {
    const isNow = isOver && !wasOver.current;
    wasOver.current = isOver;
    // The button went with the form, and the focus with the button.
    if (!isNow || document.activeElement !== document.body) return;
    part.current?.focus({ preventScroll: true });
    // Pressed in the bar at the window's foot, which is gone. Its words grow as it is sent; a toast stands under them.
    if (isExpressed && !isInView(part.current)) part.current?.scrollIntoView({ block: 'start' });
  }, [isOver, isExpressed]);
  return (
    <div ref={part} tabIndex={-1} className={styles.part}>
      <Answer {...props} />
      <OfferedAlerts after="interest" about={props.job.id} />
    </div>
  );
}

function isInView(part: Element | null): boolean {
  const box = part?.getBoundingClientRect();
  return box !== undefined && box.top >= 0 && box.bottom <= window.innerHeight;
}

/** The form stays until its interest is on this device: where that fails, what was typed is still in it. */
const isSaved = ({ interest, interestState }: Pick<TradiePartProps, 'interest' | 'interestState'>) =>
  interest !== null && interestState?.kind !== 'saving';

function Answer({ job, person, interest, interestState, goTo, noteRows = 4, isRejected = false }: TradiePartProps) {
  const { now } = useApp();
  const { objection } = useMutation('interest.express', job);
  if (job.status === 'closed') {
    return (
      <>
        <Banner tone="info" announce="none">
          {interest === null
            ? 'This job is closed and no longer accepting interest'
            : 'You expressed interest in this job (now closed)'}
          {interest !== null && interestState === undefined && (
            <p className={styles.fate}>{interestStatus(interest, now())}</p>
          )}
        </Banner>
        {interest === null && !isRejected && <UnsentNote jobId={job.id} job={job} />}
      </>
    );
  }
  if (interest !== null && isSaved({ interest, interestState }))
    return (
      <>
        <Expressed interest={interest} state={interestState} />
        <UnsentNote jobId={job.id} job={job} sent={interest.note} />
      </>
    );
  if (person === null) return null;
  if (objection === undefined)
    return <ExpressInterest job={job} isPastEnd={!person.hasSubscription} goTo={goTo} noteRows={noteRows} />;
  if (objection.code !== 'subscription-required') {
    return (
      <EmptyState
        picture="locked"
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
      picture="locked"
      title="Subscription Required"
      action={
        <ComeBack user={person.user}>
          <LinkButton href="/dashboard">Go to Dashboard</LinkButton>
        </ComeBack>
      }
    >
      <p>Interest is sent while your subscription runs.</p>
    </EmptyState>
  );
}

function onItsWay({ kind }: ItemState, connection: ConnectionKind): string {
  if (kind === 'saved') return `We'll send your interest ${onceReached(connection)}.`;
  if (kind === 'restoring') return 'Dwang was put back to an earlier copy, and we are sending your interest again.';
  return 'Your interest is on its way.';
}

function Expressed({ interest, state }: { readonly interest: Interest; readonly state: ItemState | undefined }) {
  const { now, connection } = useApp();
  const { kind } = useWatched(connection);
  // A second answer that was rejected changes nothing of this one.
  const isOnItsWay = state !== undefined && state.kind !== 'photos' && state.kind !== 'rejected';
  const note = interest.note === '' ? null : <blockquote className={styles.note}>{interest.note}</blockquote>;
  if (isOnItsWay) {
    return (
      <Banner tone="warn" title={state.words}>
        <p>{onItsWay(state, kind)}</p>
        {note}
        {state.kind === 'failed' && <LinkButton href="/waiting">{words.couldntSend}</LinkButton>}
      </Banner>
    );
  }
  return (
    <Banner tone="good" title="You have expressed interest in this job" announce="none">
      <p>Since {formatDay(interest.createdAt)} the homeowner has your details and can contact you.</p>
      <p className={styles.fate}>{interestStatus(interest, now())}</p>
      {note}
    </Banner>
  );
}

type ExpressInterestProps = {
  readonly job: JobFacts;
  /** By this device's clock, which may be wrong, the subscription is over. */
  readonly isPastEnd: boolean;
  readonly goTo: TradiePartProps['goTo'];
  readonly noteRows: number;
};

/** A note if one likes, and one tap. What is typed is kept until it is queued. */
function ExpressInterest({ job, isPastEnd, goTo, noteRows }: ExpressInterestProps) {
  const { newId, offerInstallAfter } = useApp();
  const express = useMutation('interest.express', job);
  const { may: mayHide, isHidden, hide, show } = useHideJob(job);
  const offerAlerts = useOfferAlerts();
  const note = useTypedText(interestDraftOf(job.id));
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const kept = await express.mutate(
      { id: newId(), jobId: job.id, note: note.text },
      {
        companions: { base: baseOfJob(job), dropDraft: note.send() },
        fallback: 'Failed to express interest',
        onAccepted: () => offerInstallAfter('first-interest'),
      },
    );
    setBusy(false);
    if (kept.kind === 'failed') return void note.keep();
    void note.clear(note.text);
    if (kept.kind === 'accepted' || kept.kind === 'saved') offerAlerts({ after: 'interest', about: job.id });
  };
  return (
    <section aria-labelledby="express">
      <form className={styles.form} onSubmit={submit}>
        <h2 id="express">Express Interest</h2>
        <p>Your business name, email and phone are shared with the homeowner automatically. They contact you.</p>
        {isPastEnd && (
          <Banner tone="warn" announce="none">
            By this phone's clock your subscription has ended. You can still send your interest: our server decides, and
            you hear of it.
          </Banner>
        )}
        <NoteField note={note.text} onNote={note.change} isLocked={isBusy} rows={noteRows} />
        <ActionBar>
          {isHidden ? (
            <Button isDisabled={!mayHide} onPress={() => void show()}>
              Show in my list
            </Button>
          ) : (
            <Button
              isDisabled={!mayHide}
              onPress={async () => {
                if (await hide()) goTo?.('/find-jobs');
              }}
            >
              Not Interested
            </Button>
          )}
          <Button
            type="submit"
            variant="primary"
            icon="send"
            isDisabled={!express.may}
            isBusy={isBusy}
            busyText="Sending"
          >
            Express Interest
          </Button>
        </ActionBar>
      </form>
    </section>
  );
}

/** What one decides here: at the foot of a phone's window in place of the navigation. */
function ActionBar({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.bar} data-action-bar>
      {children}
    </div>
  );
}
