import { useState } from 'react';
import { useAuthState, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import { useLive } from '../../db/use-live.ts';
import { useRows } from '../../db/use-rows.ts';
import { useObjectUrls } from '../../hooks/use-object-urls.ts';
import { usePerson } from '../../hooks/use-person.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import { Updated } from '../../parts/updated.tsx';
import { jobState, photosNotAdded, rejectedPhotosOf } from '../../words/item-state.ts';
import { jobOf, keptJob } from '../../words/mutation-words.ts';
import { distanceWords } from './distances.ts';
import { placeOfJob, withDistance, type JobFacts } from './job-facts.ts';
import { JobBehindSubscription, JobMissing, whyMissing } from './job-missing.tsx';
import { JobView } from './job-view.tsx';
import { ShortlistControl } from './shortlist-control.tsx';
import { OwnerJob } from './owner-job.tsx';
import { RejectedNotes } from './rejected-notes.tsx';
import { SignInPrompt } from './sign-in-prompt.tsx';
import { TradiePart } from './tradie-part.tsx';
import { useJobByLink } from './use-job-by-link.ts';
import { useDistanceContext } from './use-distance-context.ts';

type JobPageProps = { readonly id: string; readonly goTo: (path: string) => void };

/** `/job/{id}` for every viewer: owner, interested tradie, tradie with the feed, and a visitor who has the link. */
export function JobPage({ id, goTo }: JobPageProps) {
  const authState = useAuthState();
  return authState.kind === 'signed-in' ? <MemberJob key={id} id={id} goTo={goTo} /> : <VisitorJob key={id} id={id} />;
}

type MemberJobProps = { readonly id: string; readonly goTo: (path: string) => void };

/**
 * The job as it was here last. A job that leaves the feed under an open page, as where the phone's clock jumps, must
 * not take away what is being read or written, until the server has decided.
 */
function useLastKnown(job: JobFacts | undefined): JobFacts | undefined {
  const [last, setLast] = useState(job);
  if (job !== undefined && job !== last) setLast(job);
  return job ?? last;
}

/** Signed in: the private row wins over the feed's, and both over what the link says. */
function MemberJob({ id, goTo }: MemberJobProps) {
  const context = useSessionContext();
  const { db, feed, userId } = context;
  const lists = useReference();
  const person = usePerson();
  const collection = useWatched(feed);
  const way = useUnsynced(context);
  const privateRow = useRows(
    db,
    ['jobs', 'shadow'],
    ({ jobs, shadow }) => ({ job: jobs.get(id) ?? null, isSent: shadow.get(`jobs,${id}`)?.row !== null }),
    [id],
  );
  const interest = useRows(
    db,
    ['interests'],
    ({ interests }) => [...interests.values()].find((row) => row.jobId === id && row.userId === userId) ?? null,
    [id, userId],
  );
  const local: JobFacts | null | undefined =
    privateRow.state === 'ready' ? (privateRow.value.job ?? feed.find(id) ?? null) : undefined;
  const isUnknown = local === null && collection.status !== 'starting';
  const byLink = useJobByLink(id, isUnknown);
  const shown = useLastKnown(local ?? undefined);
  const isUnanswered = isUnknown && (byLink.state === 'reading' || byLink.state === 'unanswered');
  const onItsWay = way.state === 'ready' ? way.value : undefined;
  const rejectedEntries = (onItsWay?.rejected ?? []).filter((entry) => jobOf(entry) === id);
  const kept = rejectedEntries.map(keptJob).find((one) => one !== undefined);
  // It has left the feed: this phone had it when its interest was sent, or it was on the screen until now.
  const wasTooLate = rejectedEntries.some(({ code }) => code === 'job-closed');
  const left = byLink.state === 'not-found' && shown?.userId === undefined ? shown : undefined;
  const gone = wasTooLate ? (kept ?? left) : left;
  const byLinkOrKept = byLink.state === 'ready' ? byLink.job : gone && { ...gone, status: 'closed' as const };
  const job = local ?? (isUnknown ? ((isUnanswered ? shown : undefined) ?? byLinkOrKept) : undefined);
  const photos = useJobPhotos(id, job?.images ?? []);
  const nearness = useDistanceContext(person.state === 'ready' ? (person.value?.user.tradieId ?? null) : null, lists);

  if (privateRow.state === 'failed' || person.state === 'failed') return <JobMissing why="failed" />;
  const rejected = <RejectedNotes entries={rejectedEntries} />;
  const member = person.state === 'ready' ? person.value : null;
  if (job === undefined && byLink.state === 'unanswered' && member?.isTradie === true && !member.hasSubscription)
    return <JobBehindSubscription user={member.user} note={rejected} />;
  if (job === undefined)
    return (
      <JobMissing
        why={isUnknown ? whyMissing(byLink.state, id, onItsWay) : 'reading'}
        note={rejected}
        {...(kept === undefined ? {} : { known: kept.title })}
      />
    );
  // Unsynced changes, too: their words would push down what one is reading already.
  if (
    person.state === 'reading' ||
    interest.state === 'reading' ||
    way.state === 'reading' ||
    lists.isReading ||
    !nearness.isRead
  )
    return <JobMissing why="reading" />;

  const own = privateRow.state === 'ready' && privateRow.value.job?.userId === userId ? privateRow.value : undefined;
  const state = onItsWay === undefined ? undefined : jobState(id, job.images.length, onItsWay);
  // Also where the job came by its link: it stands in the list a moment later, and what is being pressed must not move.
  const updated = <Updated />;
  const rejectedPhotos = onItsWay === undefined ? undefined : rejectedPhotosOf(id, onItsWay);
  const seen = { job, place: placeOfJob(job, lists), category: lists.categoryName(job.categoryId) };
  if (own !== undefined)
    return (
      <OwnerJob
        {...seen}
        photos={photos.map((photo) => ({
          url: photo.url,
          isRejected: photo.id !== undefined && rejectedPhotos?.has(photo.id) === true,
        }))}
        isSent={own.isSent}
        state={state}
        updated={updated}
        rejected={rejected}
        photosNotAdded={rejectedPhotos === undefined ? undefined : photosNotAdded(rejectedPhotos)}
        goTo={goTo}
      />
    );
  // An interest that waits on this phone is none that the owner has.
  const counted =
    state === undefined ? job : { ...job, interestCount: feed.find(id)?.interestCount ?? job.interestCount };
  return (
    <JobView
      {...seen}
      job={counted}
      photos={photos.map(({ url }) => url)}
      place={withDistance(seen.place, distanceWords(job, nearness))}
      onBack={() => goTo('/find-jobs')}
      notice={rejectedEntries.length > 0 && rejected}
      badges={
        <>
          <ItemStateBadge state={state} />
          {updated}
          <ShortlistControl job={job} />
        </>
      }
      answer={
        <TradiePart
          job={job}
          person={person.value}
          interest={interest.state === 'ready' ? interest.value : null}
          interestState={state}
          isRejected={rejectedEntries.length > 0}
          goTo={goTo}
        />
      }
    />
  );
}

/** Signed out, by link: the job, and the Sign In prompt where the action would be. */
function VisitorJob({ id }: { readonly id: string }) {
  const lists = useReference();
  const found = useJobByLink(id, true);
  if (found.state !== 'ready') return <JobMissing why={found.state} />;
  return (
    <JobView
      job={found.job}
      place={placeOfJob(found.job, lists)}
      category={lists.categoryName(found.job.categoryId)}
      answer={
        <SignInPrompt title="Sign in to express interest">
          <p>Tradies with a subscription can send their details to the homeowner.</p>
        </SignInPrompt>
      }
    />
  );
}

/** A job's photos: those the server has, then those of this phone that are unsynced, with their ids. */
function useJobPhotos(
  jobId: string,
  images: readonly string[],
): readonly { readonly url: string; readonly id?: string }[] {
  const { db } = useSessionContext();
  const kept = useLive(() => db.photos.where('jobId').equals(jobId).toArray(), [db, jobId]);
  const own = kept.state === 'ready' ? kept.value.filter(({ path }) => !images.some((url) => url.endsWith(path))) : [];
  const urls = useObjectUrls(own);
  const shown = own.flatMap(({ id }) => {
    const url = urls.get(id);
    return url === undefined ? [] : [{ id, url }];
  });
  return [...images.map((url) => ({ url })), ...shown];
}
