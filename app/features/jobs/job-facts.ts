import type { AnswerOf } from '../../../shared/api/index.ts';
import type { Job } from '../../../shared/tables/index.ts';
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
