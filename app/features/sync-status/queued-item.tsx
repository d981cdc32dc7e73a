import { useApp, useSessionContext } from '../../context/app-context.ts';
import type { OutboxEntry } from '../../db/person-db.ts';
import { orFull } from '../../db/storage-errors.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { formatInstant } from '../../words/dates.ts';
import { faultWords } from '../../words/fault-words.ts';
import { entryState, whyNotSent, type UnsyncedNow } from '../../words/item-state.ts';
import { jobOf, mutationText, mutationWords } from '../../words/mutation-words.ts';
import { CopyText } from './copy-text.tsx';
import styles from './item.module.css';

type QueuedItemProps = {
  readonly entry: OutboxEntry;
  /** Of the job it is about, where known. */
  readonly jobTitle: string | undefined;
  readonly attempt: UnsyncedNow['attempt'];
  readonly goTo: (path: string) => void;
  readonly onGivenUp: () => void;
};

/** One change in the outbox. Cancel is there only while it was never sent (C7). */
export function QueuedItem({ entry, jobTitle, attempt, goTo, onGivenUp }: QueuedItemProps) {
  const { toasts, now } = useApp();
  const { sync } = useSessionContext();
  const state = entryState(entry, attempt);
  const text = mutationText(entry);
  const jobId = jobOf(entry);
  const wasNeverSent = entry.state === 'new';
  const why = state.kind === 'failed' ? whyNotSent(entry) : undefined;
  const cancel = async () => {
    try {
      const cancelled = await sync.cancel(entry.uid);
      if (cancelled.kind === 'cancelled') onGivenUp();
      if (cancelled.kind === 'already-sent') {
        toasts.show({
          title: "It's on its way already",
          description: 'It can no longer be cancelled.',
          variant: 'destructive',
        });
      }
    } catch (fault) {
      toasts.show({
        title: 'Error',
        description: faultWords(orFull(fault), 'That did not work'),
        variant: 'destructive',
      });
    }
  };
  return (
    <Card as="article">
      <div className={styles.head}>
        <h3 className={styles.title}>{mutationWords(entry, jobTitle)}</h3>
        <Badge
          tone={state.kind === 'failed' ? 'bad' : 'warn'}
          icon={state.kind === 'failed' ? 'alert' : state.kind === 'sending' ? 'send' : 'phone'}
        >
          {state.words}
        </Badge>
      </div>
      <p className={styles.standing}>
        {why === undefined ? (
          <span className={styles.when}>Since {formatInstant(entry.at, now())}</span>
        ) : (
          <span className={styles.reason}>{why}</span>
        )}
      </p>
      {text !== '' && <blockquote className={styles.text}>{text}</blockquote>}
      <div className={styles.buttons}>
        {entry.name === 'job.post' && wasNeverSent && (
          <Button icon="edit" onPress={() => goTo(`/post-job?again=${entry.uid}`)}>
            Edit
          </Button>
        )}
        {entry.name !== 'job.post' && jobId !== undefined && (
          <Button onPress={() => goTo(`/job/${jobId}`)}>Open job</Button>
        )}
        {text !== '' && <CopyText text={text} />}
        {wasNeverSent && (
          <Button icon="cross" onPress={cancel}>
            Cancel
          </Button>
        )}
      </div>
    </Card>
  );
}
