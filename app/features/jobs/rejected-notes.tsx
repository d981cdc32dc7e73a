import type { RejectedEntry } from '../../db/person-db.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { placeWords } from '../../lib/reference-lists.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { FindSimilar } from '../../parts/find-similar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { keptJob, mutationText, mutationWords } from '../../words/mutation-words.ts';
import { words } from '../../words/common-words.ts';
import styles from './rejected-notes.module.css';

/** What the server rejected about this job: the reason, the text and what can still be done, on the job itself. */
export function RejectedNotes({ entries }: { readonly entries: readonly RejectedEntry[] }) {
  const lists = useReference();
  return entries.map((entry) => {
    const text = mutationText(entry);
    const job = keptJob(entry);
    return (
      <Banner
        key={entry.uid}
        tone="bad"
        title={`${words.notAccepted}: ${mutationWords(entry)}`}
        actions={
          <>
            <FindSimilar entry={entry} />
            {text !== '' && <CopyText text={text} />}
            <LinkButton href="/waiting">See what you can do</LinkButton>
          </>
        }
      >
        {job !== undefined && <p>{placeWords(lists, job)}</p>}
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
