import type { RejectedEntry } from '../../db/person-db.ts';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { mutationText, mutationWords } from '../../words/mutation-words.ts';
import { words } from '../../words/promises.ts';
import styles from './rejected-notes.module.css';

/** What the server rejected about this job: the reason and the text, on the job itself. */
export function RejectedNotes({ entries }: { readonly entries: readonly RejectedEntry[] }) {
  return entries.map((entry) => {
    const text = mutationText(entry);
    return (
      <Banner
        key={entry.uid}
        tone="bad"
        title={`${words.notAccepted}: ${mutationWords(entry)}`}
        actions={<LinkButton href="/waiting">See what you can do</LinkButton>}
      >
        <p>{entry.message}</p>
        {text !== '' && <blockquote className={styles.text}>{text}</blockquote>}
      </Banner>
    );
  });
}
