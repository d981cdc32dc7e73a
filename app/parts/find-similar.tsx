import type { RejectedEntry } from '../db/person-db.ts';
import { useReference } from '../hooks/use-reference.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { keptJob } from '../words/mutation-words.ts';

/**
 * For an interest that came too late, jobs of the same trade in the same region, as far as its job is known; nothing
 * for any other.
 */
export function FindSimilar({ entry }: { readonly entry: RejectedEntry }) {
  const lists = useReference();
  if (entry.code !== 'job-closed' || entry.name !== 'interest.express') return null;
  const job = keptJob(entry);
  const region = lists.place(job?.locationId ?? null)?.region;
  const query = new URLSearchParams({
    ...(job === undefined ? {} : { category: job.categoryId }),
    ...(region === undefined ? {} : { region }),
  });
  return (
    <LinkButton href={`/find-jobs${query.size === 0 ? '' : `?${query}`}`} icon="search">
      Find similar
    </LinkButton>
  );
}
