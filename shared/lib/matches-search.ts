import { kilometresBetween, type Position } from './distance.ts';
import { fold } from './fold.ts';

/** What a saved search wants of a job. Empty lists and null want nothing in particular. */
export interface SearchTerms {
  readonly categoryIds: readonly string[];
  readonly region: string | null;
  readonly locationId: string | null;
  /** Kilometres from that town; null: in that town itself. */
  readonly withinKm: number | null;
  /** Dollars at most. A job without a budget is found as well. */
  readonly maxBudget: number | null;
  readonly urgencies: readonly string[];
  /** The words as they stand, anywhere in title or description; without case and macrons. */
  readonly words: string;
}

export interface SearchedJob {
  readonly categoryId: string;
  readonly locationId: string | null;
  readonly budgetMax: number | null;
  readonly urgency: string;
  readonly title: string;
  readonly description: string;
}

/** A town of the reference list; without a position, only itself is near to it. */
export interface SearchedPlace {
  readonly region: string;
  readonly position: Position | undefined;
}

/** What words are looked for in. */
export const searchedText = ({ title, description }: Pick<SearchedJob, 'title' | 'description'>): string =>
  fold(`${title}\n${description}`);

/**
 * Is this job one that the search looks for? The same on the device, for counts and the list, and on the server, for
 * alerts. `textOf`: as
 * `searchedText`, for a caller who keeps texts and asks of thousands of jobs.
 */
export function matchesSearch<Searched extends SearchedJob>(
  search: SearchTerms,
  job: Searched,
  placeOf: (locationId: string) => SearchedPlace | undefined,
  textOf: (job: Searched) => string = searchedText,
): boolean {
  const { categoryIds, urgencies, maxBudget } = search;
  if (categoryIds.length > 0 && !categoryIds.includes(job.categoryId)) return false;
  if (urgencies.length > 0 && !urgencies.includes(job.urgency)) return false;
  if (maxBudget !== null && job.budgetMax !== null && job.budgetMax > maxBudget) return false;
  if (!isPlaced(search, job, placeOf)) return false;
  const wanted = fold(search.words.trim());
  return wanted === '' || textOf(job).includes(wanted);
}

function isPlaced(
  { region, locationId, withinKm }: SearchTerms,
  job: SearchedJob,
  placeOf: (locationId: string) => SearchedPlace | undefined,
): boolean {
  if (locationId !== null) {
    if (job.locationId === locationId) return true;
    if (withinKm === null || job.locationId === null) return false;
    const [from, to] = [placeOf(locationId)?.position, placeOf(job.locationId)?.position];
    return from !== undefined && to !== undefined && kilometresBetween(from, to) <= withinKm;
  }
  return region === null || (job.locationId !== null && placeOf(job.locationId)?.region === region);
}
