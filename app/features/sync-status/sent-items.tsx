import { useApp } from '../../context/app-context.ts';
import type { SentNote } from '../../sync/decided.ts';
import { Icon } from '../../ui/icon.tsx';
import { formatTimeOrDay } from '../../words/dates.ts';
import { jobOf, mutationWords } from '../../words/mutation-words.ts';
import styles from './sent-items.module.css';

/** The same where it waits and where it was sent: it goes from one place to the other. */
export const moveName = ({ uid }: { readonly uid: string }): string => `item-${uid}`;

type SentItemsProps = {
  /** The newest first. */
  readonly sent: readonly SentNote[];
  readonly titleOf: (jobId: string | undefined) => string | undefined;
};

/** What went out in the last day, perhaps while its person was not looking. Nothing where nothing did. */
export function SentItems({ sent, titleOf }: SentItemsProps) {
  const { now } = useApp();
  if (sent.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby="sent">
      <h2 id="sent">Sent in the last day</h2>
      <ul role="list" className={styles.list}>
        {sent.map((note) => (
          <li key={note.uid} className={styles.item} style={{ viewTransitionName: moveName(note) }}>
            <Icon name="checkCircle" />
            <div>
              <h3 className={styles.title}>{mutationWords(note, titleOf(jobOf(note)))}</h3>
              <p className={styles.when}>Sent {formatTimeOrDay(note.at, now())}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
