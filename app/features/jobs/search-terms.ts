import type { Search } from '../../../shared/tables/index.ts';
import { formatMoney } from '../../../shared/lib/money.ts';
import { placeName, type Place, type ReferenceLists } from '../../lib/reference-lists.ts';
import { tradeWords, urgencyWords } from './filter-options.ts';
import { unlimitedBudget, resetFilters, searchOf, type JobFilters } from './job-filters.ts';

export type SearchTerms = Pick<
  Search,
  'categoryIds' | 'region' | 'locationId' | 'withinKm' | 'maxBudget' | 'urgencies' | 'words'
>;

/** Longest name that a search may have. */
const maxName = 60;

/** What these filters look for, as a saved search says it. Order, and what one did with a job, are no part of it. */
export function searchOfFilters({
  text,
  categoryIds,
  urgencies,
  region,
  locationId,
  withinKm,
  budget,
}: JobFilters): SearchTerms {
  return {
    categoryIds: [...categoryIds],
    region,
    locationId,
    // A distance is saved from a town alone: where a phone is stays on it (`savable`).
    withinKm: locationId === null ? null : withinKm,
    maxBudget: budget >= unlimitedBudget ? null : budget,
    urgencies: [...urgencies],
    words: text.trim(),
  };
}

/** The filters that show what a search finds, in the order that is shown now. */
export function filtersOfSearch({ sort }: JobFilters, search: SearchTerms): JobFilters {
  return {
    ...resetFilters,
    sort,
    text: search.words,
    categoryIds: search.categoryIds,
    urgencies: search.urgencies,
    region: search.region,
    locationId: search.locationId,
    // Alerts read it the same way: a distance from no town wants nothing in particular.
    withinKm: search.locationId === null ? null : search.withinKm,
    // The most that filters know stands for no limit.
    budget: Math.min(search.maxBudget ?? unlimitedBudget, unlimitedBudget),
  };
}

/** Do they look for the same, as filters can say it? */
export function isSameSearch(one: SearchTerms, other: SearchTerms): boolean {
  const termsOf = ({ categoryIds, region, locationId, withinKm, maxBudget, urgencies, words }: SearchTerms) =>
    JSON.stringify([
      categoryIds.toSorted(),
      region,
      locationId,
      locationId === null ? null : withinKm,
      maxBudget === null || maxBudget >= unlimitedBudget ? null : maxBudget,
      urgencies.toSorted(),
      words,
    ]);
  return termsOf(one) === termsOf(other);
}

/**
 * The filters with a town in place of where this tradie is: their base town, or the one nearest to their phone. A saved
 * search is the server's to know, and where a phone is is not.
 */
export function savable(filters: JobFilters, near: Place | undefined): JobFilters {
  if (filters.withinKm === null || filters.locationId !== null) return filters;
  return near === undefined ? { ...filters, withinKm: null } : { ...filters, region: near.region, locationId: near.id };
}

/** `Builder in Winton, Southland, “gate”, up to $5,000`; `All trades within 25 km of Winton, Southland`. */
export function termsWords(
  { categoryIds, region, locationId, withinKm, maxBudget, urgencies, words }: SearchTerms,
  lists: ReferenceLists,
): string {
  const trade = tradeWords(categoryIds, lists) ?? 'All trades';
  const place = lists.place(locationId);
  const where = place === undefined ? region : placeName(place);
  const parts = [
    where === null ? trade : `${trade} ${withinKm === null ? 'in' : `within ${withinKm} km of`} ${where}`,
    ...(words === '' ? [] : [`“${words}”`]),
    ...(maxBudget === null ? [] : [`up to ${formatMoney(maxBudget)}`]),
    ...(urgencies.length === 0 ? [] : [urgencyWords(urgencies)]),
  ];
  return parts.join(', ');
}

/** The same in the length that a name may have. */
export function nameOfSearch(search: SearchTerms, lists: ReferenceLists): string {
  const name = Array.from(termsWords(search, lists));
  return name.length <= maxName
    ? name.join('')
    : `${name
        .slice(0, maxName - 1)
        .join('')
        .trimEnd()}…`;
}

/** The saved search that the filters show, and nothing less of it: the list is its list, in whatever order. */
export function chosenSearch(filters: JobFilters, searches: readonly Search[]): Search | undefined {
  const { showInterested, showOthers, onlyHidden, onlyShortlisted } = filters;
  if (!showInterested || !showOthers || onlyHidden || onlyShortlisted) return undefined;
  // From where the tradie is: no saved search says that.
  if (filters.withinKm !== null && filters.locationId === null) return undefined;
  const wanted = searchOfFilters(filters);
  return searches.find((search) => isSameSearch(search, wanted));
}

/** The address of Find Jobs with what this search finds. */
export function hrefOfSearch(search: SearchTerms): string {
  const asked = Object.entries(searchOf(filtersOfSearch(resetFilters, search))).filter(
    ([, value]) => value !== undefined,
  );
  return `/find-jobs?${new URLSearchParams(asked.map(([name, value]) => [name, String(value)]))}`;
}
