import type { App, SessionContext } from '../context/app-context.ts';
import type { RejectedEntry } from '../db/person-db.ts';
import { createReferenceLists } from '../lib/reference-lists.ts';
import { jobOf } from '../words/mutation-words.ts';
import { subjectWords } from '../words/subject-words.ts';

/** What was not accepted, by its name, where no screen tells it. */
export function rejectedSubject(
  { rows }: Pick<SessionContext['db'], 'rows'>,
  reference: Pick<App['reference'], 'current'>,
  entry: RejectedEntry,
): string {
  const title = rows.shown.jobs.get(jobOf(entry) ?? '')?.title;
  return subjectWords(entry, createReferenceLists(reference.current().rows), title);
}
