import { useState } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { RejectedEntry } from '../../db/person-db.ts';
import { tellWhenDecided } from '../../hooks/tell-when-decided.ts';
import { useMutation } from '../../hooks/use-mutation.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatInstant } from '../../words/dates.ts';
import { faultWords } from '../../words/fault-words.ts';
import { jobOf, mutationText, mutationWords } from '../../words/mutation-words.ts';
import { CopyText } from './copy-text.tsx';
import styles from './item.module.css';
import { StaleChoice } from './stale-choice.tsx';
import { useTarget } from './use-target.ts';

type RejectedItemProps = {
  readonly entry: RejectedEntry;
  /** Of the job it is about, where known. */
  readonly jobTitle: string | undefined;
  readonly goTo: (path: string) => void;
};

/** One change the server rejected: the reason, the text, and what can still be done with it. */
export function RejectedItem({ entry, jobTitle, goTo }: RejectedItemProps) {
  const { toasts, now } = useApp();
  const context = useSessionContext();
  const [isBusy, setBusy] = useState(false);
  const target = useTarget(entry);
  const again = useMutation(entry.name, target.state === 'ready' ? target.value : undefined);
  const mayRetry = target.state !== 'ready' || again.may;
  const text = mutationText(entry);
  const jobId = jobOf(entry);
  const act = async (work: () => Promise<unknown>) => {
    setBusy(true);
    try {
      await work();
    } catch (fault) {
      toasts.show({ title: 'Error', description: faultWords(fault, 'That did not work'), variant: 'destructive' });
    } finally {
      setBusy(false);
    }
  };
  const retry = () =>
    act(async () => {
      const queued = await context.sync.retry(entry.uid);
      if (queued !== undefined)
        void tellWhenDecided({ context, toasts, onSeeWhy: () => goTo('/waiting') }, entry.name, queued.uid);
    });
  const isStale = entry.code === 'stale' && entry.fields !== null;
  return (
    <Card as="article">
      <div className={styles.head}>
        <h3 className={styles.title}>{mutationWords(entry, jobTitle)}</h3>
        <p className={styles.when}>{formatInstant(entry.refusedAt, now())}</p>
      </div>
      <p className={styles.reason}>{entry.message}</p>
      {isStale ? (
        <StaleChoice entry={entry} onAct={act} isBusy={isBusy} />
      ) : (
        text !== '' && <blockquote className={styles.text}>{text}</blockquote>
      )}
      <div className={styles.buttons}>
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
        {entry.name !== 'job.post' && jobId !== undefined && (
          <Button onPress={() => goTo(`/job/${jobId}`)}>Open job</Button>
        )}
        {!isStale && mayRetry && (
          <Button icon="refresh" isBusy={isBusy} onPress={retry}>
            Retry
          </Button>
        )}
        {text !== '' && <CopyText text={text} />}
        <Button icon="trash" isDisabled={isBusy} onPress={() => act(() => context.sync.discard(entry.uid))}>
          Discard
        </Button>
      </div>
    </Card>
  );
}
