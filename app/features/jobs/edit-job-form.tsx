import type { FormEvent } from 'react';
import type { ArgsOf } from '../../../shared/mutations/index.ts';
import type { Job } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import { useNotSaved } from '../../hooks/not-saved.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { argsOfEdit, changesOf, conflictsOf, keepMine, rebase, acceptTheirs } from '../../lib/row-form.ts';
import { ConflictChooser } from '../../parts/conflict-chooser.tsx';
import type { DraftInHand } from '../../hooks/use-draft.ts';
import { useMutationForm } from '../../hooks/use-mutation-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FormButtons, FormColumns } from '../../ui/form-columns.tsx';
import { FormMissing } from '../../ui/form-missing.tsx';
import { words } from '../../words/common-words.ts';
import { EditJobNotices } from './rejected-notes.tsx';
import { jobAliases, jobForm, missingOfEdit, type EditJobDraft, type PostJobFields } from './job-fields.ts';
import { PostJobFieldset } from './post-job-fieldset.tsx';
import type { useDraftPhotos } from './use-draft-photos.ts';
import { useExistingPhotos, useSendEdit } from './use-send-edit.ts';

type EditJobFormProps = {
  readonly job: Job;
  readonly draft: DraftInHand<EditJobDraft>;
  readonly value: EditJobDraft;
  readonly photos: ReturnType<typeof useDraftPhotos>;
  readonly lists: ReferenceLists;
  /** The rejected edit this form was opened from. */
  readonly rejected: RejectedEntry | undefined;
  /** The server rejected it while the person waited. */
  readonly onRejected: (rejected: RejectedEntry) => void;
  readonly onBack: () => void;
};

export function EditJobForm({ job, draft, value, photos, lists, rejected, onRejected, onBack }: EditJobFormProps) {
  const { toasts } = useApp();
  const notSaved = useNotSaved();
  const { sync } = useSessionContext();
  const { may, send } = useSendEdit(job);

  const rows = jobForm((id) => lists.place(id)?.region);
  const edit = rebase(rows, value, job);
  const theirs = conflictsOf(rows, edit, job);
  const existing = useExistingPhotos(job, edit.removed);
  const isChanged = (draft: EditJobDraft) =>
    Object.keys(changesOf(rows, draft)).length + draft.removed.length + photos.shown.length > 0;
  const isClash = Object.keys(theirs).length > 0;
  const hasChanges = isChanged(edit);
  const drop = () => Promise.all([draft.drop(), photos.drop()]);
  const form = useMutationForm('job.edit', {
    draft: {
      keep: () => Promise.all([draft.keep(), photos.keep()]),
      drop,
    },
    prefix: 'post',
    aliases: jobAliases,
    rejected,
    isDirty: hasChanges,
    // The photos are in the upload queue then, and the rejected edit has every word.
    reopens: true,
  });
  const { phase } = form;
  const missing = [
    ...missingOfEdit(edit),
    ...photos.missing,
    ...(isClash ? ['choose which version to keep'] : []),
    ...(hasChanges ? [] : ['change something']),
  ];

  const change = (changes: Partial<PostJobFields>) => {
    if (!form.touch(changes)) return;
    draft.change((before) => {
      const now = rebase(rows, before, job);
      return { ...now, fields: { ...now.fields, ...changes } };
    });
  };
  const removePhoto = (id: string) => {
    if (existing.some((photo) => photo.id === id))
      draft.change((before) => ({ ...before, removed: [...before.removed, id] }));
    else photos.remove(id);
  };
  const act = (work: Promise<void>) => {
    void work.then(notSaved.isOver, (error: unknown) => notSaved.tell(error, 'Failed to update job'));
  };
  const leave = async () => {
    await drop();
    onBack();
  };

  const submit = async (wanted: EditJobDraft) => {
    if (phase !== 'writing') return;
    const args = argsOfEdit(rows, job.id, wanted) as ArgsOf<'job.edit'>;
    if (!form.check(args).isValid) return;
    const kept = await form.send(() =>
      send({ args, removed: wanted.removed, added: photos.kept ?? [], draft: draft.send, rejectedUid: rejected?.uid }),
    );
    if (kept.kind === 'accepted' || kept.kind === 'saved') onBack();
    if (kept.kind === 'rejected') onRejected(kept.rejected);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (missing.length === 0 && may) return act(submit(edit));
    toasts.show({ title: 'Error', description: 'Please fill in all required fields', variant: 'destructive' });
  };
  const onKeepMine = () => {
    const next = keepMine(edit, theirs);
    draft.change(() => next);
    act(submit(next));
  };
  const onKeepOther = async () => {
    const next = acceptTheirs(rows, edit, theirs);
    draft.change(() => next);
    if (rejected === undefined || isChanged(next)) return;
    await sync.discard(rejected.uid);
    await leave();
  };

  return (
    <form onSubmit={onSubmit} noValidate>
      <FormColumns
        end={
          <>
            <FormMissing action="To save" missing={may ? missing : []} id="edit-missing" />
            <FormButtons>
              <Button onPress={() => act(leave())} isDisabled={phase !== 'writing'}>
                Cancel
              </Button>
              <Button
                type="submit"
                variant="primary"
                icon="check"
                isDisabled={missing.length > 0 || !may || phase === 'done'}
                isBusy={phase === 'sending'}
                busyText="Saving..."
                aria-describedby="edit-missing"
              >
                Save Changes
              </Button>
            </FormButtons>
          </>
        }
      >
        <EditJobNotices
          isClosed={!may}
          rejected={isClash || form.listed.length > 0 || rejected?.code === 'stale' ? undefined : rejected}
        />
        {isClash && phase !== 'sending' && (
          <Banner tone="bad" title={rejected === undefined ? 'Changed elsewhere' : words.notAccepted} announce="alert">
            <ConflictChooser
              name="job.edit"
              theirs={theirs}
              mine={changesOf(rows, edit)}
              lists={lists}
              isDisabled={photos.isPreparing}
              mayKeepMine={may}
              onKeepMine={onKeepMine}
              onKeepOther={() => act(onKeepOther())}
            />
          </Banner>
        )}
        <ErrorSummary problems={form.listed} attempt={form.attempt} />
        <PostJobFieldset
          fields={edit.fields}
          problems={form.problems}
          onChange={change}
          lists={lists}
          photos={{ shown: [...existing, ...photos.shown], add: photos.add, remove: removePhoto }}
          takesAnyImage
          isLocked={phase !== 'writing'}
        />
      </FormColumns>
    </form>
  );
}
