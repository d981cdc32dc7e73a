import type { RejectedEntry } from '../../db/person-db.ts';
import { useJobTitles } from '../../hooks/use-job-titles.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { words } from '../../words/common-words.ts';
import { jobOf, subjectWords } from '../../words/mutation-words.ts';

/** What was not accepted, by its name, where it is one thing. */
export function useRefusedWords(entry: RejectedEntry | undefined): string | undefined {
  const lists = useReference();
  const titleOf = useJobTitles();
  if (entry === undefined) return undefined;
  return `${words.notAccepted}: ${subjectWords(entry, lists, titleOf?.(jobOf(entry)))}.`;
}
