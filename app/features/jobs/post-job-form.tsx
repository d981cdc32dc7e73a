import { useCallback, useEffect, useRef, useState, type FormEvent } from 'react';
import type { ArgsOf } from '../../../shared/mutations/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { OutboxEntry, RejectedEntry } from '../../db/person-db.ts';
import type { Sync } from '../../sync/create-sync.ts';
import { notSaved } from '../../hooks/not-saved.ts';
import type { DraftInHand } from '../../hooks/use-draft.ts';
import { useMutationForm } from '../../hooks/use-mutation-form.ts';
import { useMutation, type Kept } from '../../hooks/use-mutation.ts';
import { useOfferAlerts } from '../../hooks/use-offer-alerts.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FormColumns } from '../../ui/form-columns.tsx';
import { FormMissing } from '../../ui/form-missing.tsx';
import { words } from '../../words/common-words.ts';
import { argsOfPost, blankFields, jobAliases, missingOf, type PostJobFields } from './job-fields.ts';
import { PostJobFieldset } from './post-job-fieldset.tsx';
import type { KeptPhoto, useDraftPhotos } from './use-draft-photos.ts';

export interface PostJobDraft {
  readonly jobId: string;
  readonly fields: PostJobFields;
}

type PostJobFormProps = {
  readonly draft: DraftInHand<PostJobDraft>;
  readonly value: PostJobDraft;
  readonly photos: ReturnType<typeof useDraftPhotos>;
  readonly lists: ReferenceLists;
  /** The queued or rejected post this form was opened from. */
  readonly entry: OutboxEntry | RejectedEntry | undefined;
  readonly goTo: (path: string) => void;
};

/** The time to read the toast before the dashboard follows. */
const thenDashboardMs = 1_500;

export function PostJobForm({ draft, value, photos, lists, entry, goTo }: PostJobFormProps) {
  const { toasts } = useApp();
  const [rejected, setRejected] = useState(() => (entry !== undefined && 'message' in entry ? entry : undefined));
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const offerAlerts = useOfferAlerts();
  const { may, send } = useSendPost({ draft, entry });
  useEffect(() => () => clearTimeout(leaving.current), []);

  const { fields } = value;
  const form = useMutationForm('job.post', {
    draft: {
      keep: () => Promise.all([draft.keep(), photos.keep()]),
      drop: () => Promise.all([draft.drop(), photos.drop()]),
    },
    prefix: 'post',
    aliases: jobAliases,
    rejected,
    isDirty: missingOf(fields).length < missingOf(blankFields).length,
  });
  const { phase } = form;
  const missing = [...missingOf(fields), ...photos.missing];
  const change = (changes: Partial<PostJobFields>) => {
    if (form.touch(changes)) draft.change((before) => ({ ...before, fields: { ...before.fields, ...changes } }));
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (phase !== 'writing' || !may) return;
    if (missing.length > 0) {
      toasts.show({ title: 'Error', description: 'Please fill in all required fields', variant: 'destructive' });
      return;
    }
    const args = argsOfPost(value.jobId, fields);
    if (!form.check(args).isValid) return;
    const kept = await form.send(() => send(args, photos.kept ?? [], rejected?.uid));
    if (kept.kind === 'rejected') setRejected(kept.rejected);
    if (kept.kind !== 'accepted' && kept.kind !== 'saved') return;
    offerAlerts({ after: 'job' });
    leaving.current = setTimeout(() => goTo(`/dashboard?posted=${kept.kind === 'accepted'}`), thenDashboardMs);
  };

  return (
    <form onSubmit={submit} noValidate>
      <FormColumns
        end={
          <>
            <FormMissing action="To post" missing={missing} id="post-missing" />
            <Button
              type="submit"
              variant="primary"
              icon="check"
              isWide
              isDisabled={missing.length > 0 || !may || phase === 'done'}
              isBusy={phase === 'sending'}
              busyText="Posting..."
              aria-describedby="post-missing"
            >
              Post Job
            </Button>
          </>
        }
      >
        {rejected !== undefined && form.listed.length === 0 && (
          <Banner tone="bad" title={words.notAccepted}>
            {rejected.message}
          </Banner>
        )}
        <ErrorSummary problems={form.listed} attempt={form.attempt} />
        <PostJobFieldset
          fields={fields}
          problems={form.problems}
          onChange={change}
          lists={lists}
          photos={photos}
          isLocked={phase !== 'writing'}
        />
      </FormColumns>
    </form>
  );
}

interface SendPost {
  readonly draft: Pick<DraftInHand<unknown>, 'send'>;
  readonly entry: OutboxEntry | RejectedEntry | undefined;
}

const fallback = 'Failed to post job';

/** What the form was opened from is not there any more: it was sent, or another tab has opened and sent it. */
async function isTaken(sync: Sync, entry: SendPost['entry'], rejectedUid: string | undefined): Promise<boolean> {
  if (rejectedUid !== undefined) return (await sync.findRejected(rejectedUid)) === undefined;
  return entry !== undefined && (await sync.cancel(entry.uid)).kind !== 'cancelled';
}

/**
 * Queues the post with its photos in one transaction. One that was opened again replaces the one it was opened from.
 */
function useSendPost({ draft: { send: sendDraft }, entry }: SendPost) {
  const { toasts } = useApp();
  /** It left the outbox for this form, whose own post has failed since. */
  const isTakenHere = useRef(false);
  const { sync, photos, db } = useSessionContext();
  const { may, mutate } = useMutation('job.post');
  const send = useCallback(
    async (args: ArgsOf<'job.post'>, kept: readonly KeptPhoto[], rejectedUid: string | undefined): Promise<Kept> => {
      let before: string[];
      try {
        before = await db.photos.where('jobId').equals(args.id).primaryKeys();
        if (!isTakenHere.current && (await isTaken(sync, entry, rejectedUid))) {
          toasts.show({
            title: 'This job has been sent already',
            description: 'Your words are still here. Copy what you need, and edit the job itself.',
            variant: 'destructive',
          });
          return { kind: 'failed' };
        }
        isTakenHere.current = entry !== undefined && rejectedUid === undefined;
      } catch (error) {
        toasts.show(notSaved(error, fallback));
        return { kind: 'failed' };
      }
      const companions = {
        dropDraft: sendDraft(),
        photos: kept.map((photo) => photos.entry(args.id, photo)),
        dropPhotos: before.filter((id) => !kept.some((photo) => photo.id === id)),
        ...(rejectedUid === undefined ? {} : { dropRejected: rejectedUid }),
      };
      return mutate(args, { companions, fallback });
    },
    [db, entry, mutate, photos, sendDraft, sync, toasts],
  );
  return { may, send };
}
