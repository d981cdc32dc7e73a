import type { Job } from '../../shared/tables/index.ts';
import type { RejectedEntry } from '../db/person-db.ts';
import { useReference } from '../hooks/use-reference.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { keptJob } from '../words/mutation-words.ts';

type SimilarJobsProps = { readonly job: Pick<Job, 'categoryId' | 'locationId'> | undefined };

/** Leads to jobs of the same trade in the same region, as far as the job is known. */
export function SimilarJobs({ job }: SimilarJobsProps) {
  const lists = useReference();
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

/** The same for an interest that came too late; nothing for any other entry. */
export function FindSimilar({ entry }: { readonly entry: RejectedEntry }) {
  const isTooLate = entry.code === 'job-closed' && entry.name === 'interest.express';
  return isTooLate ? <SimilarJobs job={keptJob(entry)} /> : null;
}
