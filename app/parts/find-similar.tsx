import type { Job } from '../../shared/tables/index.ts';
import type { CollectionRow } from '../../shared/tables/collections.ts';
import { useSessionContext } from '../context/app-context.ts';
import { useWatched } from '../context/use-watched.ts';
import type { RejectedEntry } from '../db/person-db.ts';
import { useReference } from '../hooks/use-reference.ts';
import { LinkButton } from '../ui/link-button.tsx';
import { keptJob } from '../words/mutation-words.ts';

type SimilarJobsProps = { readonly job: Pick<Job, 'categoryId' | 'locationId'> | undefined };

/**
 * Leads to jobs of the same trade in the same region, as far as the job is known: where there are none, to the trade's
 * elsewhere, else to the region's.
 */
export function SimilarJobs({ job }: SimilarJobsProps) {
  const lists = useReference();
  const { rows } = useWatched(useSessionContext().feed);
  const regionOf = (locationId: string | null) => lists.place(locationId)?.region;
  const [category, region] = [job?.categoryId, regionOf(job?.locationId ?? null)];
  const isOfTrade = (one: CollectionRow<'feed'>) => category === undefined || one.categoryId === category;
  const isNear = (one: CollectionRow<'feed'>) => region === undefined || regionOf(one.locationId) === region;
  const [isTradeWanted, isRegionWanted] = rows.some((one) => isOfTrade(one) && isNear(one))
    ? [true, true]
    : rows.some(isOfTrade)
      ? [true, false]
      : [!rows.some(isNear), true];
  const query = new URLSearchParams({
    ...(isTradeWanted && category !== undefined ? { category } : {}),
    ...(isRegionWanted && region !== undefined ? { region } : {}),
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
