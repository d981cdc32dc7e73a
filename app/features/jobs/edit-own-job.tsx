import { useState } from 'react';
import type { Job } from '../../../shared/tables/index.ts';
import { useSessionContext } from '../../context/app-context.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import { useRows } from '../../db/use-rows.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { beginEdit } from '../../lib/row-form.ts';
import { useDraft } from '../../hooks/use-draft.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useOfflineReason } from '../../hooks/use-offline-reason.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { jobOf } from '../../words/mutation-words.ts';
import { EditJobForm } from './edit-job-form.tsx';
import { jobForm, type EditJobDraft } from './job-fields.ts';
import { RejectedNotes } from './rejected-notes.tsx';
import { useDraftPhotos } from './use-draft-photos.ts';

type EditOwnJobProps = {
  readonly job: Job;
  /** A rejected edit: the form opens with what was typed then. */
  readonly entry: RejectedEntry | undefined;
  readonly onRejected: (rejected: RejectedEntry) => void;
  readonly onBack: () => void;
};

export function EditOwnJob({ job, entry, ...rest }: EditOwnJobProps) {
  const lists = useReference();
  const isAway = useOfflineReason() !== undefined;
  const { objection } = useMutation('job.edit', job);
  // As it was when the person came: a form is not taken away, nor swapped for another, by what happens meanwhile.
  const [opened] = useState({ entry, objection });
  if (opened.objection?.code === 'job-closed') return <ClosedJob job={job} reason={opened.objection.message} />;
  return (
    <Page title="Edit Job" width="wide" onBack={rest.onBack}>
      {lists.isLoading && !isAway ? (
        <SkeletonCards count={1} label="Reading your job" />
      ) : (
        <Draft job={job} entry={opened.entry} lists={lists} {...rest} />
      )}
    </Page>
  );
}

function Draft({ job, entry, lists, ...rest }: EditOwnJobProps & { readonly lists: ReferenceLists }) {
  const draftKey = entry === undefined ? `edit-job/${job.id}` : `edit-job/${job.id}/again/${entry.uid}`;
  const draft = useDraft<EditJobDraft>(draftKey, () => ({
    ...beginEdit(
      jobForm((id) => lists.place(id)?.region),
      job,
      entry?.args,
    ),
    removed: [],
  }));
  const photos = useDraftPhotos(draft.slot, undefined);
  if (draft.value === undefined || photos.kept === undefined)
    return <SkeletonCards count={1} label="Reading your job" />;
  return (
    <EditJobForm job={job} draft={draft} value={draft.value} photos={photos} lists={lists} rejected={entry} {...rest} />
  );
}

function ClosedJob({ job, reason }: { readonly job: Job; readonly reason: string }) {
  const { db } = useSessionContext();
  const refused = useRows(db, ['refused'], (rows) => [...rows.refused.values()], []);
  return (
    <Page title="Job is Closed">
      <EmptyState
        picture="locked"
        title={reason}
        action={
          <LinkButton href={`/job/${job.id}`} variant="primary">
            Back to Job
          </LinkButton>
        }
      />
      <RejectedNotes
        entries={(refused.state === 'ready' ? refused.value : []).filter((entry) => jobOf(entry) === job.id)}
      />
    </Page>
  );
}
