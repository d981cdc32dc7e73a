import * as z from 'zod/mini';

/** Specification section 9: the slider starts at 10,000; Reset puts it at 50,000, which means no limit. */
export const budgetStep = 500;
export const budgetTop = 50_000;
export const budgetAtFirst = 10_000;

export const jobSorts = ['newest', 'a-z', 'highest', 'lowest'] as const;
export type JobSort = (typeof jobSorts)[number];

export const jobSortLabels: Readonly<Record<JobSort, string>> = {
  newest: 'Date added',
  'a-z': 'A-Z',
  highest: 'Highest budget',
  lowest: 'Lowest budget',
};

const optionalText = z.catch(z.optional(z.coerce.string()), undefined);
const optionalFlag = z.catch(z.optional(z.boolean()), undefined);

/** The filters as they stand in the address, so that a search can be shared and the back button works. Absent means untouched. */
export const jobSearchSchema = z.object({
  q: optionalText,
  sort: z.catch(z.optional(z.enum(jobSorts)), undefined),
  category: optionalText,
  region: optionalText,
  town: optionalText,
  max: z.catch(z.optional(z.number().check(z.gte(0), z.lte(budgetTop))), undefined),
  interested: optionalFlag,
  others: optionalFlag,
});

export type JobSearch = z.output<typeof jobSearchSchema>;

export interface JobFilters {
  readonly text: string;
  readonly sort: JobSort;
  readonly categoryId: string | null;
  readonly region: string | null;
  readonly locationId: string | null;
  readonly budget: number;
  /** Jobs in which this tradie has expressed interest, and those in which not: both shown at first. */
  readonly showInterested: boolean;
  readonly showOthers: boolean;
}

export function filtersOf(search: JobSearch): JobFilters {
  return {
    text: search.q ?? '',
    sort: search.sort ?? 'newest',
    categoryId: search.category ?? null,
    region: search.region ?? null,
    locationId: search.town ?? null,
    budget: search.max ?? budgetAtFirst,
    showInterested: search.interested ?? true,
    showOthers: search.others ?? true,
  };
}

/** The address for these filters: what stands at its first value is left out. */
export function searchOf(filters: JobFilters): JobSearch {
  return {
    q: filters.text === '' ? undefined : filters.text,
    sort: filters.sort === 'newest' ? undefined : filters.sort,
    category: filters.categoryId ?? undefined,
    region: filters.region ?? undefined,
    town: filters.locationId ?? undefined,
    max: filters.budget === budgetAtFirst ? undefined : filters.budget,
    interested: filters.showInterested ? undefined : false,
    others: filters.showOthers ? undefined : false,
  };
}

export const resetFilters: JobFilters = { ...filtersOf({}), budget: budgetTop };

/** How many filters narrow the list, for the button that opens them on a phone. */
export function countNarrowing(filters: JobFilters): number {
  return [
    filters.text !== '',
    filters.categoryId !== null,
    filters.region !== null,
    filters.budget < budgetTop,
    !filters.showInterested || !filters.showOthers,
  ].filter(Boolean).length;
}
