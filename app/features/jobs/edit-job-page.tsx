import { useState } from 'react';
import { useApp, useSessionContext, useAuthState } from '../../context/app-context.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import { useRows } from '../../db/use-rows.ts';
import { useUnsynced } from '../../hooks/use-unsynced.ts';
import { useWatched } from '../../context/use-watched.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { EditOwnJob } from './edit-own-job.tsx';
import { JobMissing, whyMissing } from './job-missing.tsx';
import { SignInPrompt } from './sign-in-prompt.tsx';
import { useJobByLink } from './use-job-by-link.ts';

type EditJobPageProps = {
  readonly id: string;
  /** The uid of a rejected edit to open again; without it, the last rejected one of this job. */
  readonly again: string | undefined;
  readonly onBack: () => void;
};

const toDashboard = (
  <LinkButton href="/dashboard" variant="primary">
    Go to Dashboard
  </LinkButton>
);

/** `/edit-job/{id}`, also without signal. */
export function EditJobPage(props: EditJobPageProps) {
  const authState = useAuthState();
  if (authState.kind === 'signed-in') return <Member key={`${props.id} ${props.again ?? ''}`} {...props} />;
  return (
    <Page title="Edit Job" width="wide">
      <SignInPrompt title="Please sign in to edit your job" />
    </Page>
  );
}

function Member({ id, again, onBack }: EditJobPageProps) {
  const { connection } = useApp();
  const context = useSessionContext();
  const { db, feed, userId } = context;
  const way = useUnsynced(context);
  const collection = useWatched(feed);
  const { lastSynced } = useWatched(connection);
  const privateRows = useRows(db, ['jobs'], ({ jobs }) => jobs.get(id) ?? null, [id]);
  const found = useRows(
    db,
    ['refused'],
    ({ refused }) => {
      const edits = [...refused.values()].filter(
        ({ name, args }) => name === 'job.edit' && (args as { id: string }).id === id,
      );
      return edits.find(({ uid }) => uid === again) ?? edits.at(-1) ?? null;
    },
    [again, id],
  );
  const [rejectedNow, setRejectedNow] = useState<RejectedEntry>();
  const isElsewhere = privateRows.state === 'ready' && privateRows.value === null;
  const isInFeed = isElsewhere && feed.find(id) !== undefined;
  const isUnknown = isElsewhere && !isInFeed && collection.status !== 'starting';
  const byLink = useJobByLink(id, isUnknown);

  if (privateRows.state === 'failed' || found.state === 'failed')
    return <JobMissing why="failed" action={toDashboard} />;
  if (privateRows.state === 'ready' && privateRows.value?.userId === userId) {
    if (found.state === 'reading') return <JobMissing why="reading" title="Edit Job" />;
    const entry = rejectedNow ?? found.value ?? undefined;
    return (
      <EditOwnJob
        key={rejectedNow?.uid ?? ''}
        job={privateRows.value}
        entry={entry}
        onRejected={setRejectedNow}
        onBack={onBack}
      />
    );
  }
  const isOthers = isInFeed || (privateRows.state === 'ready' && privateRows.value !== null);
  // On a new phone one's own jobs come with the first answer; until then the page does not say that a job is another
  // person's.
  if (isOthers || (isUnknown && byLink.state === 'ready' && lastSynced !== null)) {
    return (
      <Page title="Access Denied">
        <EmptyState picture="locked" title="You can only edit your own jobs." action={toDashboard} />
      </Page>
    );
  }
  const why = isUnknown ? whyMissing(byLink.state, id, way.state === 'ready' ? way.value : undefined) : 'reading';
  return <JobMissing why={why} title="Edit Job" action={toDashboard} />;
}
