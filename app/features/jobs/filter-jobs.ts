import { fold } from '../../../shared/lib/fold.ts';
import type { ShelfRow } from '../../../shared/tables/shelves.ts';
import { budgetTop, type JobFilters, type JobSort } from './job-filters.ts';

export type FeedJob = ShelfRow<'feed'>;

export interface FilterContext {
  /** Ids of jobs this tradie has expressed interest in. */
  readonly interestedIn: ReadonlySet<string>;
  regionOf(locationId: string): string | undefined;
}

const collator = new Intl.Collator('en-NZ', { sensitivity: 'base', numeric: true });
// Feed rows live as long as the shelf's memory, and folding 20,000 texts again for each key pressed would be felt.
const foldedTexts = new WeakMap<FeedJob, string>();

function foldedText(job: FeedJob): string {
  const known = foldedTexts.get(job);
  if (known !== undefined) return known;
  const text = fold(`${job.title}\n${job.description}`);
  foldedTexts.set(job, text);
  return text;
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

const orders: Readonly<Record<JobSort, (one: FeedJob, other: FeedJob) => number>> = {
  newest,
  'a-z': (one, other) => collator.compare(one.title, other.title) || newest(one, other),
  highest: byBudget(-1),
  lowest: byBudget(1),
};

/** The jobs these filters leave, in their order. Text matches without macrons and case (specification section 2, product.md section 2). */
export function filterJobs(jobs: readonly FeedJob[], filters: JobFilters, context: FilterContext): FeedJob[] {
  const wanted = fold(filters.text.trim());
  const passes = (job: FeedJob) => {
    const isInterested = context.interestedIn.has(job.id);
    if (isInterested ? !filters.showInterested : !filters.showOthers) return false;
    if (filters.categoryId !== null && job.categoryId !== filters.categoryId) return false;
    if (filters.budget < budgetTop && job.budgetMax !== null && job.budgetMax > filters.budget) return false;
    if (filters.locationId !== null && job.locationId !== filters.locationId) return false;
    if (filters.region !== null && (job.locationId === null || context.regionOf(job.locationId) !== filters.region)) return false;
    return wanted === '' || foldedText(job).includes(wanted);
  };
  return jobs.filter(passes).toSorted(orders[filters.sort]);
}
