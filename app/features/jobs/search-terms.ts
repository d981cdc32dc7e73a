import type { Search } from '../../../shared/tables/index.ts';
import { formatMoney } from '../../../shared/lib/money.ts';
import { placeName, type ReferenceLists } from '../../lib/reference-lists.ts';
import { budgetTop, resetFilters, type JobFilters } from './job-filters.ts';

export type SearchTerms = Pick<
  Search,
  'categoryIds' | 'region' | 'locationId' | 'withinKm' | 'maxBudget' | 'urgencies' | 'words'
>;

/** Longest name that a search may have. */
const maxName = 60;

/** What these filters look for, as a saved search says it. Order, and what one did with a job, are no part of it. */
export function searchOfFilters({ text, categoryId, region, locationId, budget }: JobFilters): SearchTerms {
  return {
    categoryIds: categoryId === null ? [] : [categoryId],
    region,
    locationId,
    withinKm: null,
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
    budget: search.maxBudget ?? budgetTop,
  };
}

export function isSameSearch(one: SearchTerms, other: SearchTerms): boolean {
  const termsOf = ({ categoryIds, region, locationId, withinKm, maxBudget, urgencies, words }: SearchTerms) =>
    JSON.stringify([categoryIds, region, locationId, withinKm, maxBudget, urgencies, words]);
  return termsOf(one) === termsOf(other);
}

/** `Builder in Winton, Southland, “gate”, up to $5,000`. */
export function nameOfSearch(
  { categoryIds, region, locationId, maxBudget, words }: SearchTerms,
  lists: ReferenceLists,
): string {
  const trade = lists.categoryName(categoryIds[0] ?? '') ?? 'All jobs';
  const place = lists.place(locationId);
  const where = place === undefined ? region : placeName(place);
  const parts = [
    where === null ? trade : `${trade} in ${where}`,
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
