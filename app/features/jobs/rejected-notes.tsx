import type { RejectedEntry } from '../../db/person-db.ts';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { mutationText, mutationWords } from '../../words/mutation-words.ts';
import { words } from '../../words/common-words.ts';
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

type EditJobNoticesProps = {
  /** It was closed while the form was open: what was typed stays on the screen. */
  readonly isClosed: boolean;
  readonly rejected: RejectedEntry | undefined;
};

/** Why an edit cannot go, or did not. */
export function EditJobNotices({ isClosed, rejected }: EditJobNoticesProps) {
  if (isClosed) {
    return (
      <Banner tone="bad" title="Job is Closed" announce="alert">
        Closed jobs cannot be edited.
      </Banner>
    );
  }
  if (rejected === undefined) return null;
  return (
    <Banner tone="bad" title={words.notAccepted}>
      {rejected.message}
    </Banner>
  );
}
