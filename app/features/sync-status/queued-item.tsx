import { memo } from 'react';
import { useApp } from '../../context/app-context.ts';
import type { OutboxEntry } from '../../db/person-db.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { formatInstant } from '../../words/dates.ts';
import { entryState, type ItemState, type UnsyncedNow } from '../../words/item-state.ts';
import { jobOf, mutationText, mutationWords } from '../../words/mutation-words.ts';
import { whyNotSent } from '../../words/why-not-sent.ts';
import styles from './item.module.css';

type QueuedItemProps = {
  readonly entry: OutboxEntry;
  /** Of the job it is about, where known. */
  readonly jobTitle: string | undefined;
  readonly attempt: UnsyncedNow['attempt'];
  /** What this needs is their own business, which no phone brings back. */
  readonly isBusinessLost: boolean;
  readonly goTo: (path: string) => void;
  readonly onCancel: (entry: OutboxEntry) => void;
};

const icons: { readonly [Kind in ItemState['kind']]?: IconName } = {
  failed: 'alert',
  sending: 'send',
  restoring: 'clock',
};

/**
 * One change in the outbox. Cancel is there only while it was never sent (C7). Drawn again only where it differs: a
 * hundred others may wait beside it, and each that comes or goes would draw them all.
 */
export const QueuedItem = memo(function QueuedItem(props: QueuedItemProps) {
  const { entry, jobTitle, attempt, isBusinessLost, goTo, onCancel } = props;
  const { now } = useApp();
  const state = entryState(entry, attempt);
  const text = mutationText(entry);
  const jobId = jobOf(entry);
  const wasNeverSent = entry.state === 'new';
  const why = state.kind === 'failed' || state.kind === 'restoring' ? whyNotSent(entry, isBusinessLost) : undefined;
  return (
    <Card as="article">
      <div className={styles.head}>
        <h3 className={styles.title}>{mutationWords(entry, jobTitle)}</h3>
        <Badge tone={state.kind === 'failed' ? 'bad' : 'warn'} icon={icons[state.kind] ?? 'phone'}>
          {state.words}
        </Badge>
      </div>
      <p className={styles.standing}>
        {why === undefined ? (
          <span className={styles.when}>Since {formatInstant(entry.at, now())}</span>
        ) : (
          <span className={state.kind === 'failed' ? styles.reason : styles.when}>{why}</span>
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
          <Button icon="cross" onPress={() => onCancel(entry)}>
            Cancel
          </Button>
        )}
      </div>
    </Card>
  );
});
