import type { RejectedEntry } from '../../db/person-db.ts';
import { useJobTitles } from '../../hooks/use-job-titles.ts';
import { useReference } from '../../hooks/use-reference.ts';
import { words } from '../../words/common-words.ts';
import { jobOf } from '../../words/mutation-words.ts';
import { subjectWords } from '../../words/subject-words.ts';

/** What was not accepted, by its name, where it is one thing. */
export function RejectedWords({ entry }: { readonly entry: RejectedEntry }) {
  const lists = useReference();
  const titleOf = useJobTitles();
  return `${words.notAccepted}: ${subjectWords(entry, lists, titleOf?.(jobOf(entry)))}.`;
}
