import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useApp } from '../../context/app-context.ts';
import type { OutboxEntry, RejectedEntry } from '../../db/person-db.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import type { DraftInHand } from '../../hooks/use-draft.ts';
import { useDirtyForm } from '../../hooks/use-dirty-form.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorSummary } from '../../ui/error-summary.tsx';
import { FormMissing } from '../../ui/form-missing.tsx';
import { words } from '../../words/promises.ts';
import { PostJobFieldset } from './post-job-fieldset.tsx';
import styles from './job-form.module.css';
import { blankFields, missingOf, problemsOfRejection, readFields, type PostJobFields } from './post-job-fields.ts';
import type { useDraftPhotos } from './use-draft-photos.ts';
import { useSendPost } from './use-send-post.ts';

export interface PostJobDraft {
  readonly jobId: string;
  readonly fields: PostJobFields;
}

type PostJobFormProps = {
  readonly draftKey: string;
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

type Problems = Partial<Record<keyof PostJobFields, string>>;

export function PostJobForm({ draftKey, draft, value, photos, lists, entry, goTo }: PostJobFormProps) {
  const { toasts } = useApp();
  const [problems, setProblems] = useState<Problems>(() =>
    entry !== undefined && 'fields' in entry ? problemsOfRejection(entry.fields) : {},
  );
  const [rejection, setRefusal] = useState(() => (entry !== undefined && 'message' in entry ? entry : undefined));
  const [attempt, setAttempt] = useState(0);
  const [phase, setPhase] = useState<'writing' | 'sending' | 'done'>('writing');
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  const send = useSendPost({ draftKey, entry, goTo });
  useEffect(() => () => clearTimeout(leaving.current), []);

  const { fields } = value;
  useDirtyForm(phase === 'writing' && missingOf(fields).length < missingOf(blankFields).length);
  const missing = [...missingOf(fields), ...(photos.isPreparing ? ['wait for your photos'] : [])];
  const change = (changes: Partial<PostJobFields>) => {
    if (phase !== 'writing') return;
    draft.change((before) => ({ ...before, fields: { ...before.fields, ...changes } }));
    setProblems((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changes))));
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (phase !== 'writing') return;
    if (missing.length > 0) {
      toasts.show({ title: 'Error', description: 'Please fill in all required fields', variant: 'destructive' });
      return;
    }
    const read = readFields(value.jobId, fields);
    setAttempt((before) => before + 1);
    if ('problems' in read) return setProblems(read.problems);
    setPhase('sending');
    await draft.keep();
    const kept = await send(read.args, photos.kept ?? [], rejection?.uid);
    if (kept.kind === 'accepted' || kept.kind === 'saved') {
      setPhase('done');
      await Promise.all([draft.drop(), photos.drop()]);
      leaving.current = setTimeout(
        () => goTo(kept.kind === 'accepted' ? '/dashboard?posted=true' : '/dashboard'),
        thenDashboardMs,
      );
      return;
    }
    // The text and the photos are still here; queueing deleted the draft from the device, so it is written again.
    await draft.keep();
    if (kept.kind === 'refused') {
      setRefusal(kept.rejected);
      setProblems(problemsOfRejection(kept.rejected.fields));
    }
    setPhase('writing');
  };

  const listed = Object.entries(problems).map(([name, message]) => ({ fieldId: `post-${name}`, message }));
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {rejection !== undefined && listed.length === 0 && (
        <Banner tone="bad" title={words.notAccepted}>
          {rejection.message}
        </Banner>
      )}
      <ErrorSummary problems={listed} attempt={attempt} />
      <PostJobFieldset
        fields={fields}
        problems={problems}
        onChange={change}
        lists={lists}
        photos={photos}
        isLocked={phase !== 'writing'}
      />
      <div className={styles.foot}>
        <FormMissing action="To post" missing={missing} id="post-missing" />
        <Button
          type="submit"
          variant="primary"
          icon="check"
          isWide
          isDisabled={missing.length > 0 || phase === 'done'}
          isBusy={phase === 'sending'}
          busyText="Posting..."
          aria-describedby="post-missing"
        >
          Post Job
        </Button>
      </div>
    </form>
  );
}
