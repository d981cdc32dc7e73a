import { useState, type ReactNode } from 'react';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useSent } from '../../hooks/use-sent.ts';
import { ShareButton } from '../../parts/share-button.tsx';
import { ItemStateBadge } from '../../parts/item-state-badge.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PhotoLightbox } from '../../ui/photo-lightbox.tsx';
import { PhotoStrip } from '../../ui/photo-strip.tsx';
import { formatInstant, formatTimeOrDay } from '../../words/dates.ts';
import type { ItemState } from '../../words/item-state.ts';
import { jobOf } from '../../words/mutation-words.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { CloseJob } from './close-job.tsx';
import { InterestedTradies, useInterested } from './interested-tradies.tsx';
import { JobFact, JobFactList } from './job-fact-list.tsx';
import type { JobFacts } from './job-facts.ts';
import { JobMissing } from './job-missing.tsx';
import styles from './owner-job.module.css';

type OwnerJobProps = {
  readonly job: JobFacts;
  readonly place: string;
  readonly category: string | undefined;
  /** `isRejected`: it is on this phone alone, and was not accepted. */
  readonly photos: readonly { readonly url: string; readonly isRejected: boolean }[];
  /** The server has it, so that its link works for others. */
  readonly isSent: boolean;
  /** How far the job itself has come, while it is unsynced. */
  readonly state: ItemState | undefined;
  /** When what is shown was last heard of. */
  readonly updated: ReactNode;
  /** What was not accepted about this job. */
  readonly rejected: ReactNode;
  /** `1 photo not added`, where one was rejected. */
  readonly photosNotAdded: string | undefined;
  readonly goTo: (path: string) => void;
};

/**
 * `/job/{id}` as its owner sees it: who answered first, because that is what one comes for; the job and what to do with
 * it after.
 */
export function OwnerJob({ job, photos, isSent, state, updated, rejected, goTo, ...rest }: OwnerJobProps) {
  const { now } = useApp();
  const interested = useInterested(job.id);
  const sent = useSent(useSessionContext()).find((note) => jobOf(note) === job.id);
  // The page below would be pushed down by who is interested.
  if (interested.state === 'reading') return <JobMissing why="reading" />;
  const isClosed = job.status === 'closed';
  return (
    <Page title={job.title} width="wide" onBack={() => goTo('/dashboard')}>
      <div className={styles.state}>
        {state === undefined ? (
          <Badge tone={isClosed ? 'neutral' : 'good'}>{isClosed ? 'Closed' : 'active'}</Badge>
        ) : (
          <ItemStateBadge state={state} />
        )}
        <p>
          Posted <time dateTime={job.createdAt}>{formatInstant(job.createdAt, now())}</time>
        </p>
        {state === undefined && sent !== undefined && <p>Sent {formatTimeOrDay(sent.at, now())}</p>}
        {updated}
      </div>
      {rejected}
      <div className={styles.columns}>
        <InterestedTradies interested={interested} isClosed={isClosed} />
        <OwnJob job={job} photos={photos} goTo={goTo} {...rest} />
        <Manage job={job} isSent={isSent} goTo={goTo} />
      </div>
    </Page>
  );
}

type OwnJobProps = Pick<OwnerJobProps, 'job' | 'place' | 'category' | 'photos' | 'photosNotAdded' | 'goTo'>;

/** What tradies see of it. */
function OwnJob({ job, place, category, photos, photosNotAdded, goTo }: OwnJobProps) {
  const [enlarged, setEnlarged] = useState<number>();
  const edit = useMutation('job.edit', job);
  const pictures = photos.map(({ url, isRejected }, at) => ({
    url,
    alt: `Photo ${at + 1} of ${job.title}`,
    mark: isRejected ? 'Not added' : undefined,
  }));
  return (
    <section className={styles.job} aria-labelledby="the-job">
      <div className={styles.head}>
        <h2 id="the-job">The job</h2>
        <Button variant="plain" icon="edit" isDisabled={!edit.may} onPress={() => goTo(`/edit-job/${job.id}`)}>
          Edit Job
        </Button>
      </div>
      <JobFactList job={job} place={place}>
        {category !== undefined && <JobFact term="Category">{category}</JobFact>}
      </JobFactList>
      <p className={styles.description}>{job.description}</p>
      {photosNotAdded !== undefined && (
        <Banner
          tone="bad"
          title={photosNotAdded}
          announce="none"
          actions={<LinkButton href="/waiting">See what you can do</LinkButton>}
        >
          The job itself is fine.
        </Banner>
      )}
      <PhotoStrip photos={pictures} onEnlarge={setEnlarged} />
      <PhotoLightbox photos={pictures} index={enlarged} onIndexChange={setEnlarged} />
    </section>
  );
}

/** What its owner may do with it, once and for all: under who answered on a desktop, at the foot of a phone's page. */
function Manage({ job, isSent, goTo }: Pick<OwnerJobProps, 'job' | 'isSent' | 'goTo'>) {
  return (
    <div className={styles.manage}>
      {job.status === 'closed' ? (
        <div>
          <LinkButton href={`/post-job?like=${job.id}`} icon="refresh">
            Post again like this
          </LinkButton>
        </div>
      ) : (
        isSent && (
          <div>
            <ShareButton title={job.title} path={`/job/${job.id}`} />
          </div>
        )
      )}
      <CloseJob job={job} goTo={goTo} />
    </div>
  );
}
