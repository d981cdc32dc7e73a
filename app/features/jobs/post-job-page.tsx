import { useMemo, useState } from 'react';
import type { Job } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext, useAuthState } from '../../context/app-context.ts';
import type { OutboxEntry, RejectedEntry } from '../../db/person-db.ts';
import { useRows } from '../../db/use-rows.ts';
import { PleaseSignIn } from '../../parts/please-sign-in.tsx';
import { useDraft } from '../../hooks/use-draft.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { Page } from '../../ui/page.tsx';
import { SkeletonCards } from '../../ui/skeleton.tsx';
import { blankFields, jobForm, type EditBase } from './job-fields.ts';
import { PostJobForm, type PostJobDraft } from './post-job-form.tsx';
import { useDraftPhotos, type KeptPhoto } from './use-draft-photos.ts';

type PostJobPageProps = {
  /** The uid of a queued or rejected post to open again. */
  readonly again: string | undefined;
  /** The id of a job of one's own to begin from. */
  readonly like: string | undefined;
  readonly goTo: (path: string) => void;
};

export function PostJobPage({ again, like, goTo }: PostJobPageProps) {
  const authState = useAuthState();
  if (authState.kind !== 'signed-in') {
    return (
      <Page title="Post a Job">
        <PleaseSignIn title="Please sign in to post a job" />
      </Page>
    );
  }
  return (
    <Page
      title="Post a Job"
      width="wide"
      onBack={() => goTo('/dashboard')}
      backLabel="Back to Dashboard"
      lead="Free. Tradies never see your name, email or phone number."
    >
      {again !== undefined ? (
        <Again uid={again} goTo={goTo} />
      ) : like !== undefined ? (
        <Like id={like} goTo={goTo} />
      ) : (
        <Draft draftKey="post-job" entry={undefined} goTo={goTo} />
      )}
    </Page>
  );
}

/** A post that is still on this phone, opened again with its text and photos. */
function Again({ uid, goTo }: { readonly uid: string; readonly goTo: (path: string) => void }) {
  const { db } = useSessionContext();
  const found = useRows(
    db,
    ['refused', 'outbox'],
    ({ refused, outbox }) => refused.get(uid) ?? outbox.get(uid) ?? null,
    [uid],
  );
  if (found.state === 'reading') return <SkeletonCards count={1} label="Reading your job" />;
  return <Reopened uid={uid} found={found.state === 'ready' ? found.value : null} goTo={goTo} />;
}

type ReopenedProps = {
  readonly uid: string;
  readonly found: OutboxEntry | RejectedEntry | null;
  readonly goTo: (path: string) => void;
};

function Reopened({ uid, found, goTo }: ReopenedProps) {
  // What it was opened from: it may be sent, or opened and sent in another tab, while the form is being written.
  const [entry] = useState(found?.name === 'job.post' ? found : undefined);
  // Once it is sent the form stays as it is; `key` keeps it from being read anew.
  return <Draft key={uid} draftKey={`post-job/${uid}`} entry={entry} goTo={goTo} />;
}

/** A new job with the words of an earlier one; its photos stay with that one, for they show how it was then. */
function Like({ id, goTo }: { readonly id: string; readonly goTo: (path: string) => void }) {
  const { db } = useSessionContext();
  const found = useRows(db, ['jobs'], ({ jobs }) => jobs.get(id) ?? null, [id]);
  if (found.state === 'reading') return <SkeletonCards count={1} label="Reading your job" />;
  const like = found.state === 'ready' ? (found.value ?? undefined) : undefined;
  return <Draft key={id} draftKey={`post-job/like/${id}`} entry={undefined} like={like} goTo={goTo} />;
}

type DraftProps = {
  readonly draftKey: string;
  readonly entry: OutboxEntry | RejectedEntry | undefined;
  readonly like?: Job | undefined;
  readonly goTo: (path: string) => void;
};

function Draft({ draftKey, entry, like, goTo }: DraftProps) {
  const { newId } = useApp();
  const { db } = useSessionContext();
  const lists = useReference();
  const jobId = (entry?.args as { id: string } | undefined)?.id;
  const row = (entry?.args ?? like) as EditBase | undefined;
  const draft = useDraft<PostJobDraft>(draftKey, () => ({
    jobId: jobId ?? newId(),
    fields: row === undefined ? blankFields : jobForm((id) => lists.place(id)?.region).show(row),
  }));
  const first = useMemo(
    () =>
      jobId === undefined
        ? undefined
        : async (): Promise<KeptPhoto[]> =>
            (await db.photos.where('jobId').equals(jobId).toArray()).map(({ id, bytes, type, name }) => ({
              id,
              bytes,
              type,
              name,
            })),
    [db, jobId],
  );
  // A draft that was written on has the photos that its person has left in it.
  const photos = useDraftPhotos(draft.slot, draft.isNew ? first : undefined);
  const remove = (id: string) => {
    photos.remove(id);
    draft.change((before) => ({ ...before }));
  };
  if (draft.value === undefined || photos.kept === undefined)
    return <SkeletonCards count={1} label="Reading your draft" />;
  return (
    <PostJobForm
      draft={draft}
      value={draft.value}
      photos={{ ...photos, remove }}
      lists={lists}
      entry={entry}
      goTo={goTo}
    />
  );
}
