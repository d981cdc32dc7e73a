import { urgencies, type Urgency } from '../../words/urgency.ts';
import { oneOf, readFlag, readNumber, readText, type RawSearch } from '../../lib/read-search.ts';

/** The slider starts at 10,000; Reset puts it at 50,000, which means no limit. */
export const budgetStep = 500;
export const unlimitedBudget = 50_000;
export const defaultBudget = 10_000;

export const jobSorts = ['newest', 'nearest', 'a-z', 'highest', 'lowest'] as const;
export type JobSort = (typeof jobSorts)[number];

export const jobSortLabels: Readonly<Record<JobSort, string>> = {
  newest: 'Date added',
  nearest: 'Nearest',
  'a-z': 'A-Z',
  highest: 'Highest budget',
  lowest: 'Lowest budget',
};

const readSort = oneOf(jobSorts);

/** Kilometres to choose from. A saved search may have any whole number up to the most. */
export const distanceSteps = [5, 10, 25, 50, 100, 200] as const;
const maxKm = 2_000;

/** Whole dollars, as a search is saved with. */
function readDollars(value: unknown): number | undefined {
  const dollars = readNumber(value, { min: 0, max: unlimitedBudget });
  return dollars === undefined ? undefined : Math.floor(dollars);
}

function readKm(value: unknown): number | undefined {
  const km = readNumber(value, { min: 1, max: maxKm });
  return Number.isInteger(km) ? km : undefined;
}

/**
 * The filters as they are in the address, so that a search can be shared and the back button works. Absent means
 * untouched.
 */
export interface JobSearch {
  readonly q?: string | undefined;
  readonly sort?: JobSort | undefined;
  /** Ids, with commas between them. */
  readonly category?: string | undefined;
  readonly urgency?: string | undefined;
  readonly region?: string | undefined;
  readonly town?: string | undefined;
  readonly within?: number | undefined;
  readonly max?: number | undefined;
  readonly interested?: boolean | undefined;
  readonly others?: boolean | undefined;
  readonly hidden?: boolean | undefined;
  readonly later?: boolean | undefined;
  /** The job that is open beside the list. */
  readonly job?: string | undefined;
  /** The map is open. */
  readonly map?: boolean | undefined;
  /** Ids of the towns chosen on the map, with commas between them. */
  readonly on?: string | undefined;
}

export function readJobSearch(raw: RawSearch): JobSearch {
  return {
    q: readText(raw['q']),
    sort: readSort(raw['sort']),
    category: readText(raw['category']),
    urgency: readText(raw['urgency']),
    region: readText(raw['region']),
    town: readText(raw['town']),
    within: readKm(raw['within']),
    max: readDollars(raw['max']),
    interested: readFlag(raw['interested']),
    others: readFlag(raw['others']),
    hidden: readFlag(raw['hidden']),
    later: readFlag(raw['later']),
    job: readText(raw['job']),
    map: readFlag(raw['map']),
    on: readText(raw['on']),
  };
}

export interface JobFilters {
  readonly text: string;
  readonly sort: JobSort;
  /** Any of these trades; all where there is none. */
  readonly categoryIds: readonly string[];
  /** Any of these; all where there is none. In the order of `urgencies`. */
  readonly urgencies: readonly Urgency[];
  readonly region: string | null;
  readonly locationId: string | null;
  /** Kilometres at most from that town, or without one from where this tradie is. Then the region decides nothing. */
  readonly withinKm: number | null;
  readonly budget: number;
  /** Jobs in which this tradie has expressed interest, and those in which not: both shown at first. */
  readonly showInterested: boolean;
  readonly showOthers: boolean;
  /** Only the jobs that this tradie has hidden; otherwise none of them. */
  readonly onlyHidden: boolean;
  /** Only the jobs that this tradie has saved for later, hidden ones among them. */
  readonly onlyShortlisted: boolean;
}

const listed = (text: string | undefined) => (text ?? '').split(',').filter((one) => one !== '');

export function filtersOf(search: JobSearch): JobFilters {
  return {
    text: search.q ?? '',
    sort: search.sort ?? 'newest',
    categoryIds: listed(search.category),
    urgencies: urgencies.filter((one) => listed(search.urgency).includes(one)),
    region: search.region ?? null,
    locationId: search.town ?? null,
    withinKm: search.within ?? null,
    budget: search.max ?? defaultBudget,
    showInterested: search.interested ?? true,
    showOthers: search.others ?? true,
    onlyHidden: search.hidden ?? false,
    onlyShortlisted: search.later ?? false,
  };
}

/** The address for these filters: a filter at its first value is left out. */
export function searchOf(filters: JobFilters): JobSearch {
  return {
    q: filters.text === '' ? undefined : filters.text,
    sort: filters.sort === 'newest' ? undefined : filters.sort,
    category: filters.categoryIds.join(',') || undefined,
    urgency: filters.urgencies.join(',') || undefined,
    region: filters.region ?? undefined,
    town: filters.locationId ?? undefined,
    within: filters.withinKm ?? undefined,
    max: filters.budget === defaultBudget ? undefined : filters.budget,
    interested: filters.showInterested ? undefined : false,
    others: filters.showOthers ? undefined : false,
    hidden: filters.onlyHidden ? true : undefined,
    later: filters.onlyShortlisted ? true : undefined,
  };
}

/** Whether the address says nothing about what is to be seen. */
export function hasNoFilter({ job: _beside, map: _map, on: _on, ...filters }: JobSearch): boolean {
  return Object.values(filters).every((value) => value === undefined);
}

export const resetFilters: JobFilters = { ...filtersOf({}), budget: unlimitedBudget };

/** How many filters narrow the list, for the button that opens them on a phone. */
export function countNarrowing(filters: JobFilters): number {
  return [
    filters.text !== '',
    filters.categoryIds.length > 0,
    filters.urgencies.length > 0,
    filters.region !== null || filters.withinKm !== null,
    filters.budget < unlimitedBudget,
    !filters.showInterested || !filters.showOthers,
  ].filter(Boolean).length;
}

/**
 * The map beside or above the list, and what was chosen on it: how one looks at what the filters leave, and no filter
 * to keep or to save.
 */
export interface MapView {
  readonly isOpen: boolean;
  /** Ids of towns, the one with the most jobs first; empty while none is chosen. */
  readonly towns: readonly string[];
}

export function mapViewOf({ map = false, on = '' }: JobSearch): MapView {
  return { isOpen: map, towns: map && on !== '' ? on.split(',') : [] };
}

export function searchOfMap({ isOpen, towns }: MapView): Pick<JobSearch, 'map' | 'on'> {
  return { map: isOpen || undefined, on: isOpen && towns.length > 0 ? towns.join(',') : undefined };
}
