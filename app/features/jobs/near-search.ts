import type { ReferenceLists } from '../../lib/reference-lists.ts';
import type { SearchTerms } from './search-terms.ts';
import type { Base } from './use-searches.ts';

export const nearName = 'My trades near me';

/** An hour's drive at most, mostly less. */
const nearKm = 50;

/** Jobs of these trades all over the country. */
export const tradeSearch = (categoryIds: readonly string[]): SearchTerms => ({
  categoryIds: [...categoryIds],
  region: null,
  locationId: null,
  withinKm: null,
  maxBudget: null,
  urgencies: [],
  words: '',
});

/**
 * The search that every tradie would make first: their trades, near their base town; all over the country where they
 * gave no town.
 */
export function nearSearch(
  { categoryIds, locationId }: Base,
  lists: Pick<ReferenceLists, 'place'>,
): SearchTerms | undefined {
  if (categoryIds.length === 0) return undefined;
  const base = lists.place(locationId);
  return {
    ...tradeSearch(categoryIds),
    region: base?.region ?? null,
    locationId: base?.id ?? null,
    // From a town without a position nothing is near but itself.
    withinKm: base?.position === undefined ? null : nearKm,
  };
}
