import { useState } from 'react';
import { currentValues } from '../../../shared/mutations/edit.ts';
import type { ArgsOf, MutationName } from '../../../shared/mutations/index.ts';
import { targetOf, type CheckedRowOf } from '../../../shared/mutations/run-mutation.ts';
import { privateTableNames } from '../../../shared/tables/index.ts';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useWatched } from '../../context/use-watched.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import type { Live } from '../../db/use-live.ts';
import { useRows } from '../../db/use-rows.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { placeWords } from '../../lib/reference-lists.ts';
import { ConflictChooser } from '../../parts/conflict-chooser.tsx';
import { CopyText } from '../../parts/copy-text.tsx';
import { FindSimilar } from '../../parts/find-similar.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { cx } from '../../ui/cx.ts';
import { formatInstant } from '../../words/dates.ts';
import { errorWords } from '../../words/error-words.ts';
import type { EditName } from '../../words/field-labels.ts';
import { jobOf, keptJob, mutationText, mutationWords } from '../../words/mutation-words.ts';
import { DiscardButton } from './discard-button.tsx';
import styles from './item.module.css';
import { RejectedPhoto } from './picture-items.tsx';

type RejectedItemProps = {
  readonly entry: RejectedEntry;
  /** Of the job it is about, where known. */
  readonly jobTitle: string | undefined;
  readonly goTo: (path: string) => void;
  readonly onGivenUp: () => void;
};

/** One change the server rejected: the reason, the text, and what can still be done with it. */
export function RejectedItem({ entry, jobTitle, goTo, onGivenUp }: RejectedItemProps) {
  const { toasts, now } = useApp();
  const context = useSessionContext();
  const lists = useReference();
  const [isBusy, setBusy] = useState(false);
  const target = useTarget(entry);
  const again = useMutation(entry.name, target.state === 'ready' ? target.value : undefined);
  // Storage has lost its picture, and this phone too: sent again as it is, it would be turned down again.
  const isPictureLost = entry.code === 'file-missing';
  // Nor does an answer go twice, or a job that is there.
  const isVain = isPictureLost || entry.code === 'already-exists';
  const mayRetry = target.state === 'ready' && again.may && !isVain;
  const isHere = target.state === 'ready' && target.value !== undefined;
  const job = keptJob(entry);
  const edit = entry.args as Pick<ArgsOf<EditName>, 'set' | 'base'>;
  const text = mutationText(entry);
  const jobId = jobOf(entry);
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } catch (error) {
      toasts.show({ title: 'Error', description: errorWords(error, 'That did not work'), variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  };
  const retry = () => act(() => again.retryRejected(entry.uid));
  const theirs = currentValues(entry);
  const isStale = Object.keys(theirs).length > 0;
  // The same edit once more, now with the current values as `base`: this is what choosing one's own means.
  const keepMine = async () => {
    const args = { ...edit, base: { ...edit.base, ...theirs } };
    await again.enqueue(args as ArgsOf<EditName>, { dropRejected: entry.uid });
  };
  const discard = () => context.sync.discard(entry.uid);
  const keepOther = async () => {
    await discard();
    onGivenUp();
    toasts.show({ title: 'Kept the other', description: 'Your change is not on this phone any more.' });
  };
  return (
    <Card as="article">
      <div className={styles.head}>
        <h3 className={styles.title}>{mutationWords(entry, jobTitle)}</h3>
        <p className={styles.when}>
          {job !== undefined && `${placeWords(lists, job)} · `}
          {formatInstant(entry.refusedAt, now())}
        </p>
      </div>
      {isStale ? (
        <ConflictChooser
          name={entry.name as EditName}
          theirs={theirs}
          mine={edit.set}
          lists={lists}
          isDisabled={isBusy}
          mayKeepMine={again.may}
          onKeepMine={() => void act(keepMine)}
          onKeepOther={() => void act(keepOther)}
        />
      ) : (
        <>
          <p className={styles.reason}>{entry.message}</p>
          {text !== '' && <blockquote className={styles.text}>{text}</blockquote>}
          {entry.name === 'photo.attach' && <RejectedPhoto entry={entry} />}
        </>
      )}
      <div className={cx(styles.buttons, isStale && styles.apart)}>
        {entry.name === 'job.post' && (
          <Button icon="edit" variant="primary" onPress={() => goTo(`/post-job?again=${entry.uid}`)}>
            Edit
          </Button>
        )}
        {entry.name === 'job.edit' && mayRetry && (
          <Button icon="edit" onPress={() => goTo(`/edit-job/${jobId}?again=${entry.uid}`)}>
            Edit
          </Button>
        )}
        <FindSimilar entry={entry} />
        {entry.name !== 'job.post' && jobId !== undefined && isHere && (
          <Button onPress={() => goTo(`/job/${jobId}`)}>Open job</Button>
        )}
        {isPictureLost && entry.name === 'profile.edit' && (
          <Button icon="image" onPress={() => goTo('/edit-tradie')}>
            Choose logo
          </Button>
        )}
        {!isStale && mayRetry && (
          <Button icon="refresh" isBusy={isBusy} onPress={retry}>
            Retry
          </Button>
        )}
        {text !== '' && <CopyText text={text} />}
        {!isStale && (
          <DiscardButton
            what={mutationWords(entry, jobTitle)}
            isWithDwang={entry.status === 'parked'}
            isDisabled={isBusy}
            discard={discard}
            onDiscarded={onGivenUp}
          />
        )}
      </div>
    </Card>
  );
}

type Subject = CheckedRowOf<MutationName>;

/** The row that a waiting mutation is about, as this device has it: among the person's own, or in the feed. */
function useTarget({ name, args }: Pick<RejectedEntry, 'name' | 'args'>): Live<Subject> {
  const { db, feed } = useSessionContext();
  useWatched(feed);
  const target = targetOf(name, args);
  const { table, id } = target ?? {};
  const own = useRows(
    db,
    privateTableNames,
    (rows) => (table === undefined || id === undefined ? undefined : rows[table].get(id)),
    [id, table],
  );
  if (own.state !== 'ready') return own;
  return {
    state: 'ready',
    value: (own.value as Subject) ?? (table === 'jobs' && id !== undefined ? feed.find(id) : undefined),
  };
}
