import type { AnswerOf } from '../../../shared/api/index.ts';
import { collectionColumns, widenCollectionRow, type CollectionRow } from '../../../shared/tables/collections.ts';
import type { Job } from '../../../shared/tables/index.ts';
import type { CompanionWrites } from '../../sync/mutate.ts';
import { placeWords, type ReferenceLists } from '../../lib/reference-lists.ts';

/** What a job page shows, wherever the job came from: the private tables, the feed or the link. */
export type JobFacts = Pick<
  Job,
  | 'id'
  | 'title'
  | 'description'
  | 'locationId'
  | 'budgetMax'
  | 'urgency'
  | 'categoryId'
  | 'status'
  | 'images'
  | 'interestCount'
  | 'address'
  | 'suburb'
  | 'createdAt'
> & {
  /** Present for one's own jobs alone. */
  readonly userId?: Job['userId'] | undefined;
};

/**
 * The row of a job that is shown, for what is done with it where this device has no copy: it was read by its link, or
 * the feed is still coming. One's own jobs are always here.
 */
export function baseOfJob({ userId, ...job }: JobFacts): NonNullable<CompanionWrites['base']> {
  if (userId !== undefined) return [];
  const columns = new Set(collectionColumns('feed'));
  const row = Object.fromEntries(Object.entries(job).filter(([column]) => columns.has(column)));
  return [{ table: 'jobs', row: { ...widenCollectionRow('feed', row as CollectionRow<'feed'>) } }];
}

/** The key of the draft that keeps the note to this job's owner. */
export const interestDraftOf = (jobId: string) => `interest/${jobId}`;

/** By link the answer names the town, because a first-time visitor has no list of towns yet. */
export function placeOfJob(
  job: JobFacts & Partial<Pick<AnswerOf<'jobs.read'>, 'location'>>,
  lists: ReferenceLists,
): string {
  return job.location ? `${job.location.town}, ${job.location.region}` : placeWords(lists, job);
}

/** `Winton, Southland, 38 km`. */
export function withDistance(place: string, distance: string | undefined): string {
  return distance === undefined ? place : `${place}, ${distance}`;
}
