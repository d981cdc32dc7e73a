import type { CollectionChanges } from '../store/collection-tables.ts';

/**
 * What a device that holds these regions alone is told of changes: rows that are in one of them, and removals of those
 * that were. Undefined: it holds all.
 */
export function cutToRegions<Row extends { id: string }>(
  { puts, removes, places }: Pick<CollectionChanges, 'places' | 'removes'> & { puts: readonly Row[] },
  regions: readonly string[] | undefined,
): { puts: Row[]; removes: string[] } {
  if (regions === undefined) return { puts: [...puts], removes: [...removes] };
  const isIn = (id: string) => regions.includes(places.get(id)?.region ?? '');
  const wasIn = (id: string) => isIn(id) || places.get(id)?.left.some((region) => regions.includes(region)) === true;
  const moved = puts.map(({ id }) => id).filter((id) => !isIn(id) && wasIn(id));
  return { puts: puts.filter(({ id }) => isIn(id)), removes: [...removes.filter(wasIn), ...moved] };
}

/** The regions that a device holds, as it says so in a request; undefined where it holds all. */
export function heldRegions(regions: readonly string[] | undefined): readonly string[] | undefined {
  return regions === undefined || regions.length === 0 ? undefined : regions;
}
