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
  /** As they stand, anywhere in title or description; without case and macrons. */
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

/** Is this job one that the search looks for? The same on the device, for the list, and on the server, for alerts. */
export function matchesSearch(
  search: SearchTerms,
  job: SearchedJob,
  placeOf: (locationId: string) => SearchedPlace | undefined,
): boolean {
  const { categoryIds, urgencies, maxBudget } = search;
  if (categoryIds.length > 0 && !categoryIds.includes(job.categoryId)) return false;
  if (urgencies.length > 0 && !urgencies.includes(job.urgency)) return false;
  if (maxBudget !== null && job.budgetMax !== null && job.budgetMax > maxBudget) return false;
  return isPlaced(search, job, placeOf) && hasWords(search.words, job);
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

function hasWords(words: string, { title, description }: SearchedJob): boolean {
  const wanted = fold(words.trim());
  return wanted === '' || fold(`${title}\n${description}`).includes(wanted);
}
