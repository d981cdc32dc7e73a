import { useEffect, useRef, useState } from 'react';
import { useSessionContext } from '../../context/app-context.ts';
import type { Person } from '../../context/watch-person.ts';
import { useRows } from '../../db/use-rows.ts';
import { useSecondPress } from '../../hooks/use-second-press.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PhotoLightbox } from '../../ui/photo-lightbox.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { formatAge } from '../../words/dates.ts';
import { jobState } from '../../words/item-state.ts';
import { jobOf } from '../../words/mutation-words.ts';
import { distanceWords, type DistanceContext } from './distances.ts';
import type { FeedPart } from './feed-part.tsx';
import type { FeedJob } from './filter-jobs.ts';
import { placeOfJob, withDistance } from './job-facts.ts';
import styles from './job-pane.module.css';
import { PublicJobFacts } from './job-fact-list.tsx';
import { RejectedNotes } from './rejected-notes.tsx';
import { ShortlistControl } from './shortlist-control.tsx';
import { TradiePart } from './tradie-part.tsx';
import { UnsentNote } from './unsent-note.tsx';

type JobPaneProps = {
  readonly id: string;
  /** The job that is open; undefined where the list of jobs does not have it. */
  readonly job: FeedJob | undefined;
  /** How much of the list is here: the job may be among what comes, or among what is held back. */
  readonly part: FeedPart;
  readonly person: Person;
  readonly lists: ReferenceLists;
  readonly nearness: DistanceContext;
  readonly now: string;
  readonly onClose: () => void;
};

/** A job beside the list that it was chosen from; its own page is one press away. */
export function JobPane({ id, job, part, ...rest }: JobPaneProps) {
  const [last, setLast] = useState(job);
  if (job !== undefined && job !== last) setLast(job);
  const shownLast = last?.id === id ? last : undefined;
  const isMissing = job === undefined && (part === 'whole' || (part !== 'coming' && shownLast !== undefined));
  const secondPress = useSecondPress(id);
  return (
    <section
      className={styles.pane}
      aria-label={isMissing ? (part === 'whole' ? 'Job, not open any more' : 'Job, not here any more') : 'Job'}
      {...secondPress}
    >
      {job !== undefined ? (
        <ChosenJob key={job.id} job={job} {...rest} />
      ) : part === 'coming' ? (
        <Coming onClose={rest.onClose} />
      ) : isMissing ? (
        <NotHere id={id} job={shownLast} part={part} lists={rest.lists} onClose={rest.onClose} />
      ) : (
        <NotOnThisPhone id={id} part={part} onClose={rest.onClose} />
      )}
    </section>
  );
}

/** One can leave it: without signal the rest of the list does not come. */
function Coming({ onClose }: Pick<JobPaneProps, 'onClose'>) {
  return (
    <div className={styles.read}>
      <SkeletonCards count={1} label="Fetching this job" />
      <Button onPress={onClose}>Back to the list</Button>
    </div>
  );
}

/** Its own page asks the server for it. A note to it may have been begun while it was here. */
function NotOnThisPhone({ id, part, onClose }: Pick<JobPaneProps, 'id' | 'part' | 'onClose'>) {
  const rejected = useRejected(id);
  return (
    <div className={styles.read}>
      <RejectedNotes entries={rejected} />
      <EmptyState
        title="This job is not on this phone"
        action={
          <>
            <LinkButton href={`/job/${id}`} icon="external">
              Open its page
            </LinkButton>
            <Button variant="plain" onPress={onClose}>
              Back to the list
            </Button>
          </>
        }
      >
        <p>
          {part === 'regions'
            ? 'Only jobs in the regions you work in are, and in those you have chosen last.'
            : 'Only jobs in your own regions are, because this browser saves data.'}
        </p>
      </EmptyState>
      {rejected.length === 0 && <UnsentNote jobId={id} job={undefined} />}
    </div>
  );
}

function useRejected(id: string) {
  const way = useUnsynced(useSessionContext());
  return way.state === 'ready' ? way.value.rejected.filter((entry) => jobOf(entry) === id) : [];
}

type NotHereProps = Pick<JobPaneProps, 'id' | 'part' | 'lists' | 'onClose'> & { readonly job: FeedJob | undefined };

/**
 * `job`: that was open here until now. Where only a part of the jobs is here, it may have left that part. What was sent
 * to it and came too late is said with it, and what was being written stays.
 */
function NotHere({ id, job, part: feed, lists, onClose }: NotHereProps) {
  const rejected = useRejected(id);
  const part = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The note in hand went with the job, and the focus with the note.
    if (document.activeElement === document.body) part.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={part} tabIndex={-1} className={styles.read}>
      <RejectedNotes entries={rejected} />
      {job !== undefined && feed !== 'whole' ? (
        <EmptyState
          title="This job has left this phone"
          action={
            <>
              <LinkButton href={`/job/${id}`} icon="external">
                Open its page
              </LinkButton>
              <Button variant="plain" onPress={onClose}>
                Back to the list
              </Button>
            </>
          }
        >
          <p>
            “{job.title}” in {placeOfJob(job, lists)} was closed, or is in a region now whose jobs are not here.
          </p>
        </EmptyState>
      ) : (
        <EmptyState title="This job is not open any more" action={<Button onPress={onClose}>Back to the list</Button>}>
          <p>
            {job === undefined
              ? 'Its owner has closed it, or the link to it is old.'
              : `“${job.title}” in ${placeOfJob(job, lists)} was closed by its owner.`}
          </p>
        </EmptyState>
      )}
      {rejected.length === 0 && <UnsentNote jobId={id} job={job} />}
    </div>
  );
}

type ChosenJobProps = Omit<JobPaneProps, 'id' | 'part'> & { readonly job: FeedJob };

function ChosenJob({ job, person, lists, nearness, now, onClose }: ChosenJobProps) {
  const context = useSessionContext();
  const { db, userId } = context;
  const heading = useRef<HTMLHeadingElement>(null);
  const [enlarged, setEnlarged] = useState<number>();
  const interest = useRows(
    db,
    ['interests'],
    ({ interests }) => [...interests.values()].find((row) => row.jobId === job.id && row.userId === userId) ?? null,
    [job.id, userId],
  );
  const way = useUnsynced(context);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const state = way.state === 'ready' ? jobState(job.id, job.images.length, way.value) : undefined;
  const pictures = job.images.map((url, at) => ({ url, alt: `Photo ${at + 1} of ${job.title}` }));
  return (
    <>
      <div className={styles.read}>
        <div className={styles.head}>
          <p>
            <strong className={styles.trade}>{lists.categoryName(job.categoryId)}</strong>{' '}
            <span>{formatAge(job.createdAt, now)}</span>
          </p>
          <LinkButton href={`/job/${job.id}`} variant="plain" icon="external">
            Open
          </LinkButton>
          <Button variant="plain" icon="cross" iconOnlyLabel="Close job" onPress={onClose} />
        </div>
        <h2 ref={heading} tabIndex={-1} className={styles.title}>
          {job.title}
        </h2>
        <ItemStateBadge state={state} />
        <PublicJobFacts job={job} place={withDistance(placeOfJob(job, lists), distanceWords(job, nearness))} />
        <PhotoStrip photos={pictures} onEnlarge={setEnlarged} />
        <PhotoLightbox photos={pictures} index={enlarged} onIndexChange={setEnlarged} />
        <p className={styles.description}>{job.description}</p>
        <ShortlistControl job={job} />
        <p className={styles.keys}>
          <kbd>j</kbd> and <kbd>k</kbd> go through the list, <kbd>Enter</kbd> opens the job’s own page, <kbd>Esc</kbd>{' '}
          closes it, <kbd>/</kbd> searches.
        </p>
      </div>
      <div className={styles.answer}>
        {interest.state !== 'reading' && (
          <TradiePart
            job={job}
            person={person}
            interest={interest.state === 'ready' ? interest.value : null}
            interestState={state}
            noteRows={2}
          />
        )}
      </div>
    </>
  );
}
