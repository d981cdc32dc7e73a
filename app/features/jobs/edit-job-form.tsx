import { useState, type FormEvent } from 'react';
import type { Job } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import { ConflictChooser } from '../../parts/conflict-chooser.tsx';
import type { DraftInHand } from '../../hooks/use-draft.ts';
import { useDirtyForm } from '../../hooks/use-dirty-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FormMissing } from '../../ui/form-missing.tsx';
import { faultWords } from '../../words/fault-words.ts';
import { words } from '../../words/promises.ts';
import {
  changesOf,
  conflictsOf,
  keepMine,
  missingOfEdit,
  readEdit,
  rebase,
  takeTheirs,
  type EditJobDraft,
} from './edit-job-fields.ts';
import { EditJobNotices } from './edit-job-notices.tsx';
import styles from './job-form.module.css';
import { problemsOfRejection, type PostJobFields } from './post-job-fields.ts';
import { PostJobFieldset } from './post-job-fieldset.tsx';
import type { useDraftPhotos } from './use-draft-photos.ts';
import { useExistingPhotos } from './use-existing-photos.ts';
import { useSendEdit } from './use-send-edit.ts';

type EditJobFormProps = {
  readonly job: Job;
  readonly draftKey: string;
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

type Problems = Partial<Record<keyof PostJobFields, string>>;

export function EditJobForm({
  job,
  draftKey,
  draft,
  value,
  photos,
  lists,
  rejected,
  onRejected,
  onBack,
}: EditJobFormProps) {
  const { toasts } = useApp();
  const { sync } = useSessionContext();
  const { may, send } = useSendEdit(job);
  const [problems, setProblems] = useState<Problems>(() =>
    rejected === undefined || rejected.code === 'stale' ? {} : problemsOfRejection(rejected.fields),
  );
  const [attempt, setAttempt] = useState(0);
  const [phase, setPhase] = useState<'writing' | 'sending' | 'done'>('writing');

  const regionOf = (id: string) => lists.place(id)?.region;
  const form = rebase(value, job, regionOf);
  const theirs = conflictsOf(form, job);
  const existing = useExistingPhotos(job, form.removed);
  const isClash = Object.keys(theirs).length > 0;
  const hasChanges = Object.keys(changesOf(form)).length + form.removed.length + photos.shown.length > 0;
  useDirtyForm(phase === 'writing' && hasChanges);
  const missing = [
    ...missingOfEdit(form),
    ...(photos.isPreparing ? ['wait for your photos'] : []),
    ...(isClash ? ['choose which version to keep'] : []),
    ...(hasChanges ? [] : ['change something']),
  ];

  const change = (changes: Partial<PostJobFields>) => {
    if (phase !== 'writing') return;
    draft.change((before) => {
      const now = rebase(before, job, regionOf);
      return { ...now, fields: { ...now.fields, ...changes } };
    });
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changes))));
  };
  const removePhoto = (id: string) => {
    if (existing.some((photo) => photo.id === id))
      draft.change((before) => ({ ...before, removed: [...before.removed, id] }));
    else photos.remove(id);
  };
  const act = (work: Promise<void>) => {
    work.catch((fault: unknown) =>
      toasts.show({ title: 'Error', description: faultWords(fault, 'Failed to update job'), variant: 'destructive' }),
    );
  };
  const leave = async () => {
    await Promise.all([draft.drop(), photos.drop()]);
    onBack();
  };

  const submit = async (wanted: EditJobDraft) => {
    if (phase !== 'writing') return;
    const read = readEdit(job.id, wanted);
    setAttempt((before) => before + 1);
    if ('problems' in read) return setProblems(read.problems);
    setPhase('sending');
    await draft.keep();
    const kept = await send({
      args: read.args,
      removed: wanted.removed,
      added: photos.kept ?? [],
      draftKey,
      rejectedUid: rejected?.uid,
    });
    if (kept.kind === 'accepted' || kept.kind === 'saved') {
      setPhase('done');
      return leave();
    }
    if (kept.kind === 'refused') {
      // The photos are in the upload queue, and the rejected edit has every word: the form opens again from that.
      await Promise.all([draft.drop(), photos.drop()]);
      return onRejected(kept.rejected);
    }
    // The text and the photos are still here; queueing may have deleted the draft from the device, so it is written again.
    await draft.keep();
    setPhase('writing');
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (missing.length === 0 && may) return act(submit(form));
    toasts.show({ title: 'Error', description: 'Please fill in all required fields', variant: 'destructive' });
  };
  const onKeepMine = () => {
    const next = keepMine(form, theirs);
    draft.change(() => next);
    act(submit(next));
  };
  const onKeepOther = async () => {
    const next = takeTheirs(form, theirs, regionOf);
    draft.change(() => next);
    if (rejected === undefined || Object.keys(changesOf(next)).length + next.removed.length + photos.shown.length > 0)
      return;
    await sync.discard(rejected.uid);
    await leave();
  };

  const listed = Object.entries(problems).map(([name, message]) => ({ fieldId: `post-${name}`, message }));
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <EditJobNotices
        isClosed={!may}
        rejected={isClash || listed.length > 0 || rejected?.code === 'stale' ? undefined : rejected}
      />
      {isClash && phase !== 'sending' && (
        <Banner
          tone="bad"
          title={rejected === undefined ? 'Changed on another device' : words.notAccepted}
          announce="alert"
        >
          <ConflictChooser
            name="job.edit"
            theirs={theirs}
            mine={changesOf(form)}
            lists={lists}
            isDisabled={photos.isPreparing}
            mayKeepMine={may}
            onKeepMine={onKeepMine}
            onKeepOther={() => act(onKeepOther())}
          />
        </Banner>
      )}
      <ErrorSummary problems={listed} attempt={attempt} />
      <PostJobFieldset
        fields={form.fields}
        problems={problems}
        onChange={change}
        lists={lists}
        photos={{ shown: [...existing, ...photos.shown], add: photos.add, remove: removePhoto }}
        takesAnyImage
        isLocked={phase !== 'writing'}
      />
      <div className={styles.foot}>
        <FormMissing action="To save" missing={may ? missing : []} id="edit-missing" />
        <div className={styles.buttons}>
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
        </div>
      </div>
    </form>
  );
}
