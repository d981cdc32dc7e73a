import { fold } from '../../../shared/lib/fold.ts';
import type { CollectionRow } from '../../../shared/tables/collections.ts';
import { compareNames } from '../../../shared/lib/compare-names.ts';
import type { TradieFilters } from './tradie-filters.ts';

export type ListedTradie = CollectionRow<'directory'>;

// Rows live as long as the collection's memory; folding 5,000 names again for each key pressed would be felt.
const foldedNames = new WeakMap<ListedTradie, string>();

function foldedName(tradie: ListedTradie): string {
  const known = foldedNames.get(tradie);
  if (known !== undefined) return known;
  const name = fold(tradie.businessName);
  foldedNames.set(tradie, name);
  return name;
}

const inOrder = (one: ListedTradie, other: ListedTradie) =>
  compareNames(one.businessName, other.businessName) || (one.id < other.id ? -1 : 1);

/**
 * Sorts a list again and again while it grows, A to Z as in New Zealand. Comparing names is the expensive part, so
 * those that were in order the last time stay in it, which one walk sees.
 */
export function createSortTradies(): (tradies: readonly ListedTradie[]) => readonly ListedTradie[] {
  let before: readonly ListedTradie[] = [];
  return (tradies) => {
    const [here, known] = [new Set(tradies), new Set(before)];
    before = [
      ...before.filter((tradie) => here.has(tradie)),
      ...tradies.filter((tradie) => !known.has(tradie)),
    ].toSorted(inOrder);
    return before;
  };
}

/** The tradies these filters leave. `sorted`: from `createSortTradies`. Names match without macrons and case. */
export function filterTradies(
  sorted: readonly ListedTradie[],
  filters: TradieFilters,
  regionOf: (locationId: string) => string | undefined,
): readonly ListedTradie[] {
  const wanted = fold(filters.text.trim());
  const trades = new Set(filters.categoryIds);
  const left = sorted.filter((tradie) => {
    if (trades.size > 0 && !tradie.categoryIds.some((id) => trades.has(id))) return false;
    if (filters.locationId !== null && tradie.locationId !== filters.locationId) return false;
    if (filters.region !== null && (tradie.locationId === null || regionOf(tradie.locationId) !== filters.region))
      return false;
    return wanted === '' || foldedName(tradie).includes(wanted);
  });
  return filters.sort === 'z-a' ? left.toReversed() : left;
}

/** The trades that most of these tradies work in, the most common first; of equal ones the first by its id. */
export function commonTrades(
  tradies: readonly Pick<ListedTradie, 'categoryIds'>[],
  maxTrades: number,
): readonly string[] {
  const counts = new Map<string, number>();
  for (const id of tradies.flatMap(({ categoryIds }) => categoryIds)) counts.set(id, (counts.get(id) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, often], [other, oftenToo]) => oftenToo - often || (one < other ? -1 : 1))
    .slice(0, maxTrades)
    .map(([id]) => id);
}
