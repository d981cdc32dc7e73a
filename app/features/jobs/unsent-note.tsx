import { useFocusKept } from '../../hooks/use-focus-kept.ts';
import { useTypedText } from '../../hooks/use-typed-text.ts';
import { CopyText } from '../../parts/copy-text.tsx';
import { SimilarJobs } from '../../parts/find-similar.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { interestDraftOf, type JobFacts } from './job-facts.ts';
import styles from './rejected-notes.module.css';

type UnsentNoteProps = {
  readonly jobId: string;
  readonly job: JobFacts | undefined;
  /** The note that was sent, where one was. */
  readonly sent?: string;
};

/**
 * The note that a tradie was writing as the job closed, or as they answered it in another tab: it is theirs still, for
 * the next job.
 */
export function UnsentNote({ jobId, job, sent }: UnsentNoteProps) {
  const note = useTypedText(interestDraftOf(jobId));
  const isShown = !['', sent?.trim()].includes(note.text.trim());
  useFocusKept(isShown ? 1 : 0);
  if (!isShown) return null;
  return (
    <Banner
      tone="warn"
      title={sent === undefined ? 'Your note was not sent' : 'Another note of yours was not sent'}
      actions={
        <>
          <CopyText text={note.text} />
          <SimilarJobs job={job} />
          <Button variant="plain" onPress={() => void note.clear()}>
            Discard
          </Button>
        </>
      }
    >
      <blockquote className={styles.text}>{note.text}</blockquote>
    </Banner>
  );
}
