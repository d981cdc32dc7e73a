import { useEffect, useRef, useState } from 'react';
import { useSessionContext } from '../../context/app-context.ts';
import { useLive } from '../../db/use-live.ts';
import { ShareButton } from '../../parts/share-button.tsx';
import { useMutation } from '../../hooks/use-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { InterestedTradie } from './interested-tradie.tsx';
import type { JobFacts } from './job-facts.ts';
import styles from './owner-part.module.css';

/** The time to read the toast before the dashboard follows. */
const thenDashboardMs = 1_500;

type OwnerActionsProps = {
  readonly job: JobFacts;
  /** The server has it, so that its link works for others. */
  readonly isSent: boolean;
  readonly goTo: (path: string) => void;
};

export function OwnerActions({ job, isSent, goTo }: OwnerActionsProps) {
  const close = useMutation('job.close', job);
  const edit = useMutation('job.edit', job);
  const [isBusy, setBusy] = useState(false);
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A person who has navigated elsewhere meanwhile is not fetched back.
  useEffect(() => () => clearTimeout(leaving.current), []);
  const isClosed = job.status === 'closed';
  const onClose = async () => {
    setBusy(true);
    const kept = await close.mutate({ id: job.id }, { fallback: 'Failed to close job' });
    setBusy(false);
    if (kept.kind === 'accepted' || kept.kind === 'saved')
      leaving.current = setTimeout(() => goTo('/dashboard'), thenDashboardMs);
  };
  return (
    <>
      <Button icon="edit" isDisabled={!edit.may} onPress={() => goTo(`/edit-job/${job.id}`)}>
        Edit Job
      </Button>
      <Button icon="cross" isDisabled={!close.may && !isBusy} isBusy={isBusy} onPress={onClose}>
        Close Job
      </Button>
      {!isClosed && isSent && <ShareButton title={job.title} path={`/job/${job.id}`} />}
      {isClosed && (
        <LinkButton href={`/post-job?like=${job.id}`} icon="refresh">
          Post again like this
        </LinkButton>
      )}
    </>
  );
}

/** Who is interested, with their contact details: only the owner ever sees these. */
export function OwnerPart({ jobId }: { readonly jobId: string }) {
  const { db } = useSessionContext();
  const interested = useLive(async () => {
    const interests = await db.interests.where('jobId').equals(jobId).sortBy('createdAt');
    const tradies = await db.tradies.bulkGet(interests.map((interest) => interest.tradieId));
    return interests.flatMap((interest, at) => {
      const tradie = tradies[at];
      return tradie === undefined ? [] : [{ interest, tradie }];
    });
  }, [db, jobId]);
  if (interested.state === 'reading') return <SkeletonCards count={1} label="Reading who is interested" />;
  const list = interested.state === 'ready' ? interested.value : [];
  return (
    <section className={styles.section} aria-labelledby="interested">
      <h2 id="interested">Interested Tradies ({list.length})</h2>
      {interested.state === 'failed' && <p role="alert">We couldn't read who is interested. Reload the page.</p>}
      {interested.state === 'ready' && list.length === 0 && (
        <EmptyState level={3} title="No tradies have expressed interest yet">
          <p>We let you know here as soon as one does.</p>
        </EmptyState>
      )}
      <ul role="list" className={styles.list}>
        {list.map(({ interest, tradie }) => (
          <li key={interest.id}>
            <InterestedTradie interest={interest} tradie={tradie} />
          </li>
        ))}
      </ul>
    </section>
  );
}
