import type { Search } from '../../../shared/tables/index.ts';
import { formatMoney } from '../../../shared/lib/money.ts';
import { placeName, type Place, type ReferenceLists } from '../../lib/reference-lists.ts';
import { budgetTop, resetFilters, type JobFilters } from './job-filters.ts';

export type SearchTerms = Pick<
  Search,
  'categoryIds' | 'region' | 'locationId' | 'withinKm' | 'maxBudget' | 'urgencies' | 'words'
>;

/** Longest name that a search may have. */
const maxName = 60;

/** What these filters look for, as a saved search says it. Order, and what one did with a job, are no part of it. */
export function searchOfFilters({ text, categoryId, region, locationId, withinKm, budget }: JobFilters): SearchTerms {
  return {
    categoryIds: categoryId === null ? [] : [categoryId],
    region,
    locationId,
    // From a town alone: where a phone is stays on it (`savable`).
    withinKm: locationId === null ? null : withinKm,
    maxBudget: budget >= budgetTop ? null : budget,
    urgencies: [],
    words: text.trim(),
  };
}

/** The filters that show what a search finds, in the order that is shown now. */
export function filtersOfSearch({ sort }: JobFilters, search: SearchTerms): JobFilters {
  return {
    ...resetFilters,
    sort,
    text: search.words,
    categoryId: search.categoryIds[0] ?? null,
    region: search.region,
    locationId: search.locationId,
    // As for alerts: a distance from no town wants nothing in particular.
    withinKm: search.locationId === null ? null : search.withinKm,
    budget: search.maxBudget ?? budgetTop,
  };
}

export function isSameSearch(one: SearchTerms, other: SearchTerms): boolean {
  const termsOf = ({ categoryIds, region, locationId, withinKm, maxBudget, urgencies, words }: SearchTerms) =>
    JSON.stringify([categoryIds, region, locationId, withinKm, maxBudget, urgencies, words]);
  return termsOf(one) === termsOf(other);
}

/**
 * The filters with a town in place of where this tradie is: their base town, or the one nearest to their phone. A saved search is the
 * server's to know, and where a phone is is not.
 */
export function savable(filters: JobFilters, near: Place | undefined): JobFilters {
  if (filters.withinKm === null || filters.locationId !== null) return filters;
  return near === undefined ? { ...filters, withinKm: null } : { ...filters, region: near.region, locationId: near.id };
}

/** `Builder in Winton, Southland, “gate”, up to $5,000`; `All jobs within 25 km of Winton, Southland`. */
export function nameOfSearch(
  { categoryIds, region, locationId, withinKm, maxBudget, words }: SearchTerms,
  lists: ReferenceLists,
): string {
  const trade = lists.categoryName(categoryIds[0] ?? '') ?? 'All jobs';
  const place = lists.place(locationId);
  const where = place === undefined ? region : placeName(place);
  const parts = [
    where === null ? trade : `${trade} ${withinKm === null ? 'in' : `within ${withinKm} km of`} ${where}`,
    ...(words === '' ? [] : [`“${words}”`]),
    ...(maxBudget === null ? [] : [`up to ${formatMoney(maxBudget)}`]),
  ];
  const name = Array.from(parts.join(', '));
  return name.length <= maxName
    ? name.join('')
    : `${name
        .slice(0, maxName - 1)
        .join('')
        .trimEnd()}…`;
}
