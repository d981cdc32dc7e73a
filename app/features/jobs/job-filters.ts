import { oneOf, readFlag, readNumber, readText, type RawSearch } from '../../lib/read-search.ts';

/** The slider starts at 10,000; Reset puts it at 50,000, which means no limit. */
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

const readSort = oneOf(jobSorts);

/** The filters as they are in the address, so that a search can be shared and the back button works. Absent means untouched. */
export interface JobSearch {
  readonly q?: string | undefined;
  readonly sort?: JobSort | undefined;
  readonly category?: string | undefined;
  readonly region?: string | undefined;
  readonly town?: string | undefined;
  readonly max?: number | undefined;
  readonly interested?: boolean | undefined;
  readonly others?: boolean | undefined;
  readonly hidden?: boolean | undefined;
  readonly later?: boolean | undefined;
  /** The job that is open beside the list. */
  readonly job?: string | undefined;
}

export function readJobSearch(raw: RawSearch): JobSearch {
  return {
    q: readText(raw['q']),
    sort: readSort(raw['sort']),
    category: readText(raw['category']),
    region: readText(raw['region']),
    town: readText(raw['town']),
    max: readNumber(raw['max'], { least: 0, most: budgetTop }),
    interested: readFlag(raw['interested']),
    others: readFlag(raw['others']),
    hidden: readFlag(raw['hidden']),
    later: readFlag(raw['later']),
    job: readText(raw['job']),
  };
}

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
  /** Only the jobs that this tradie has hidden; otherwise none of them. */
  readonly onlyHidden: boolean;
  /** Only the jobs that this tradie has saved for later, hidden ones among them. */
  readonly onlyLater: boolean;
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
    onlyHidden: search.hidden ?? false,
    onlyLater: search.later ?? false,
  };
}

/** The address for these filters: a filter at its first value is left out. */
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
    hidden: filters.onlyHidden ? true : undefined,
    later: filters.onlyLater ? true : undefined,
  };
}

/** Whether the address says nothing about what is to be seen. */
export function namesNoFilter({ job: _beside, ...filters }: JobSearch): boolean {
  return Object.values(filters).every((value) => value === undefined);
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
