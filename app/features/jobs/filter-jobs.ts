import { fold } from '../../../shared/lib/fold.ts';
import { searchedText } from '../../../shared/lib/matches-search.ts';
import type { CollectionRow } from '../../../shared/tables/collections.ts';
import { compareNames } from '../../../shared/lib/compare-names.ts';
import type { Distances } from './distances.ts';
import { unlimitedBudget, type JobFilters, type JobSort } from './job-filters.ts';
import { createLeaveOutHidden } from './leave-out-hidden.ts';
import { createSortChanged } from './sort-changed.ts';

export type FeedJob = CollectionRow<'feed'>;

/** Posted after this ISO instant; nothing is where it is not known. */
export function isNewSince(job: FeedJob, since: string | undefined): boolean {
  return since !== undefined && job.createdAt > since;
}

export function countNewSince(jobs: readonly FeedJob[], since: string | undefined): number {
  let found = 0;
  if (since !== undefined) for (const { createdAt } of jobs) if (createdAt > since) found += 1;
  return found;
}

export interface FilterContext {
  /** Ids of jobs this tradie has expressed interest in. */
  readonly interestedIn: ReadonlySet<string>;
  /** Ids of jobs that this tradie has hidden. */
  readonly hidden: ReadonlySet<string>;
  /** Ids of jobs that they have saved for later. */
  readonly shortlisted: ReadonlySet<string>;
  regionOf(locationId: string): string | undefined;
  /** From where this tradie is; undefined where that is not known. */
  readonly distances?: Distances | undefined;
  /** Distances from a town; undefined where it has no position. */
  readonly distancesFrom?: ((locationId: string) => Distances | undefined) | undefined;
}

// Feed rows live as long as the collection's memory, and folding 20,000 texts again for each key pressed would be felt.
const foldedTexts = new WeakMap<FeedJob, string>();

/** `searchedText`, kept. */
export function foldedText(job: FeedJob): string {
  const known = foldedTexts.get(job);
  if (known !== undefined) return known;
  const text = searchedText(job);
  foldedTexts.set(job, text);
  return text;
}

const foldBatchSize = 500;

/** Folds the texts for searching, a few hundred at a time while the browser is idle. The returned function stops it. */
export function prefoldTexts(jobs: readonly FeedJob[]): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const go = (from: number) => {
    for (const job of jobs.slice(from, from + foldBatchSize)) foldedText(job);
    if (from + foldBatchSize < jobs.length) timer = setTimeout(go, 0, from + foldBatchSize);
  };
  timer = setTimeout(go, 0, 0);
  return () => clearTimeout(timer);
}

const newest = (one: FeedJob, other: FeedJob) =>
  one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : one.id < other.id ? 1 : -1;

/** Jobs without a budget come last both ways: neither the highest nor the lowest. */
function byBudget(direction: 1 | -1) {
  return (one: FeedJob, other: FeedJob) => {
    if (one.budgetMax === other.budgetMax) return newest(one, other);
    if (one.budgetMax === null) return 1;
    if (other.budgetMax === null) return -1;
    return (one.budgetMax - other.budgetMax) * direction;
  };
}

const orders: Readonly<Record<Exclude<JobSort, 'nearest'>, (one: FeedJob, other: FeedJob) => number>> = {
  newest,
  'a-z': (one, other) => compareNames(one.title, other.title) || newest(one, other),
  highest: byBudget(-1),
  lowest: byBudget(1),
};

/** Jobs at an unknown distance come last; where no distance is known at all, the newest come first. */
function sortByDistance(jobs: readonly FeedJob[], distances: Distances | undefined): readonly FeedJob[] {
  // The map is asked once for each job, and not once for each comparison.
  const placed = jobs.map((job) => ({ job, km: kmTo(job, distances) ?? Infinity }));
  return placed
    .toSorted((one, other) => (one.km === other.km ? newest(one.job, other.job) : one.km - other.km))
    .map(({ job }) => job);
}

/** Undefined where the distance is not known. */
export function kmTo({ locationId }: Pick<FeedJob, 'locationId'>, distances: Distances | undefined) {
  return locationId === null ? undefined : distances?.get(locationId);
}

/** Ids of the towns that a distance leaves; undefined where none is wanted, or where from is not known. */
function townsWithin(
  withinKm: number | null,
  locationId: string | null,
  distances: Distances | undefined,
  distancesFrom: FilterContext['distancesFrom'],
): ReadonlySet<string> | undefined {
  if (withinKm === null) return undefined;
  const from = locationId === null ? distances : (distancesFrom?.(locationId) ?? new Map([[locationId, 0]]));
  return from && new Set([...from].filter(([, km]) => km <= withinKm).map(([id]) => id));
}

/** Where in the list the jobs of each trade are: a choice of trades then reads those, and not the whole list. */
function indexTrades(sorted: readonly FeedJob[]): ReadonlyMap<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [at, { categoryId }] of sorted.entries()) {
    const places = index.get(categoryId);
    if (places === undefined) index.set(categoryId, [at]);
    else places.push(at);
  }
  return index;
}

/** The jobs of these trades, in the order of the list. */
function jobsOfTrades(
  sorted: readonly FeedJob[],
  index: ReturnType<typeof indexTrades>,
  categoryIds: readonly string[],
): readonly FeedJob[] {
  // An address may name a trade twice.
  const places = [...new Set(categoryIds)].flatMap((id) => index.get(id) ?? []);
  return [...Uint32Array.from(places).sort()].flatMap((at) => sorted[at] ?? []);
}

/**
 * Those that pass every filter but the trades and the text, hidden ones too. `sorted`: all of these trades, in order.
 * Of the context only what these filters need.
 */
function narrowJobs(
  sorted: readonly FeedJob[],
  filters: JobFilters,
  {
    interestedIn,
    hidden,
    shortlisted,
    regionOf,
    towns,
  }: Partial<FilterContext> & { readonly towns?: ReadonlySet<string> },
): readonly FeedJob[] {
  return sorted.filter((job) => {
    if (filters.onlyShortlisted ? shortlisted?.has(job.id) !== true : filters.onlyHidden && !hidden?.has(job.id))
      return false;
    if (interestedIn !== undefined && !(interestedIn.has(job.id) ? filters.showInterested : filters.showOthers))
      return false;
    if (filters.urgencies.length > 0 && !filters.urgencies.includes(job.urgency)) return false;
    if (filters.budget < unlimitedBudget && job.budgetMax !== null && job.budgetMax > filters.budget) return false;
    if (towns !== undefined) return job.locationId !== null && towns.has(job.locationId);
    if (filters.locationId !== null && job.locationId !== filters.locationId) return false;
    return regionOf === undefined || (job.locationId !== null && regionOf(job.locationId) === filters.region);
  });
}

export type FindJobs = (jobs: readonly FeedJob[], filters: JobFilters, context: FilterContext) => readonly FeedJob[];

/**
 * The jobs these filters leave, in their order. Text matches without macrons and case. Each of its steps is done again
 * only when its input has changed: a typed letter searches texts that are folded already, and sorts nothing; a job
 * that has changed is put in its place.
 */
export function createFindJobs(): FindJobs {
  const sortChanged = createSortChanged<FeedJob>();
  const sort = remember((jobs: readonly FeedJob[], order: JobSort, distances: Distances | undefined) =>
    order === 'nearest' ? sortByDistance(jobs, distances) : sortChanged(jobs, orders[order]),
  );
  const within = remember(townsWithin);
  const tradesOf = remember(indexTrades);
  // The filters as text, because the same filters come as another object with every letter.
  const narrow = remember(
    (
      sorted: readonly FeedJob[],
      key: string,
      interestedIn?: FilterContext['interestedIn'],
      hidden?: FilterContext['hidden'],
      shortlisted?: FilterContext['shortlisted'],
      regionOf?: FilterContext['regionOf'],
      towns?: ReadonlySet<string>,
    ) => {
      const filters = JSON.parse(key) as JobFilters;
      const { categoryIds } = filters;
      const jobs = categoryIds.length === 0 ? sorted : jobsOfTrades(sorted, tradesOf(sorted), categoryIds);
      return narrowJobs(jobs, filters, {
        ...(interestedIn && { interestedIn }),
        ...(hidden && { hidden }),
        ...(shortlisted && { shortlisted }),
        ...(regionOf && { regionOf }),
        ...(towns && { towns }),
      });
    },
  );
  const leaveOutHidden = remember(createLeaveOutHidden<FeedJob>());
  const textsOf = remember((jobs: readonly FeedJob[]) => jobs.map(foldedText));
  return (jobs, filters, context) => {
    // One more interest changes nothing for a tradie who looks at all jobs.
    const interestedIn = filters.showInterested && filters.showOthers ? undefined : context.interestedIn;
    const regionOf = filters.region === null ? undefined : context.regionOf;
    const { withinKm, locationId, sort: order, onlyHidden, onlyShortlisted } = filters;
    const narrowed = narrow(
      sort(jobs, order, order === 'nearest' ? context.distances : undefined),
      JSON.stringify({ ...filters, text: '' }),
      interestedIn,
      onlyHidden ? context.hidden : undefined,
      onlyShortlisted ? context.shortlisted : undefined,
      regionOf,
      within(withinKm, locationId, locationId === null ? context.distances : undefined, context.distancesFrom),
    );
    const left = onlyHidden || onlyShortlisted ? narrowed : leaveOutHidden(narrowed, context.hidden);
    const wanted = fold(filters.text.trim());
    if (wanted === '') return left;
    const texts = textsOf(left);
    return left.filter((_job, at) => texts[at]?.includes(wanted));
  };
}

/** How many jobs the budget alone takes out of the list. */
export function createCountOverBudget(): (...asked: Parameters<FindJobs>) => number {
  const find = createFindJobs();
  const aboveOf = remember((jobs: readonly FeedJob[], budget: number) =>
    jobs.filter(({ budgetMax }) => budgetMax !== null && budgetMax > budget),
  );
  return (jobs, filters, context) =>
    filters.budget >= unlimitedBudget
      ? 0
      : find(aboveOf(jobs, filters.budget), { ...filters, budget: unlimitedBudget, sort: 'newest' }, context).length;
}

/** Caches the last answer, for as long as the arguments are the same. */
function remember<Asked extends unknown[], Answer>(work: (...asked: Asked) => Answer): (...asked: Asked) => Answer {
  let last: { asked: Asked; answer: Answer } | undefined;
  return (...asked) => {
    if (last === undefined || !asked.every((one, at) => Object.is(one, last?.asked[at])))
      last = { asked, answer: work(...asked) };
    return last.answer;
  };
}
