import type { OutboxEntry } from '../db/person-db.ts';
import { placeWords, type ReferenceLists } from '../lib/reference-lists.ts';
import { keptJob, mutationWords } from './mutation-words.ts';

type Entry = Pick<OutboxEntry, 'name' | 'args'> & { readonly base?: OutboxEntry['base'] };

/** What an entry is about, in one line: its name, and the place of its job as far as this device knows it. */
export function subjectWords(entry: Entry, lists: ReferenceLists, jobTitle?: string): string {
  const [what, job] = [mutationWords(entry, jobTitle), keptJob(entry)];
  return job === undefined || lists.places.length === 0 ? what : `${what}, ${placeWords(lists, job)}`;
}
