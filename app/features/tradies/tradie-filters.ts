import type { directoryParameters } from '../../../shared/inlined.ts';
import { oneOf, readText, type RawSearch } from '../../lib/read-search.ts';

export const tradieSorts = ['a-z', 'z-a'] as const;
export type TradieSort = (typeof tradieSorts)[number];

export const tradieSortLabels: Readonly<Record<TradieSort, string>> = { 'a-z': 'A-Z', 'z-a': 'Z-A' };

const readSort = oneOf(tradieSorts);

type Parameter = (typeof directoryParameters)[number];

/** The filters as they are in the address. Absent means untouched. `trades`: category ids with commas between. */
export interface TradieSearch extends Partial<Record<Exclude<Parameter, 'sort'>, string | undefined>> {
  readonly sort?: TradieSort | undefined;
}

export function readTradieSearch(raw: RawSearch): TradieSearch {
  return {
    q: readText(raw['q']),
    trades: readText(raw['trades']),
    region: readText(raw['region']),
    town: readText(raw['town']),
    sort: readSort(raw['sort']),
  };
}

export interface TradieFilters {
  readonly text: string;
  /** Tradies of any of these; of all, where there are none. */
  readonly categoryIds: readonly string[];
  readonly region: string | null;
  readonly locationId: string | null;
  readonly sort: TradieSort;
}

export function filtersOf(search: TradieSearch): TradieFilters {
  return {
    text: search.q ?? '',
    categoryIds: (search.trades ?? '').split(',').filter(Boolean),
    // A form's address names what was left empty.
    region: search.region || null,
    locationId: search.town || null,
    sort: search.sort ?? 'a-z',
  };
}

export function searchOf(filters: TradieFilters): TradieSearch {
  return {
    q: filters.text === '' ? undefined : filters.text,
    trades: filters.categoryIds.length === 0 ? undefined : filters.categoryIds.join(','),
    region: filters.region ?? undefined,
    town: filters.locationId ?? undefined,
    sort: filters.sort === 'a-z' ? undefined : filters.sort,
  };
}

/** How many filters narrow the list, for the button that opens them on a phone. */
export function countNarrowing(filters: TradieFilters): number {
  return [filters.text !== '', filters.categoryIds.length > 0, (filters.region ?? filters.locationId) !== null].filter(
    Boolean,
  ).length;
}
