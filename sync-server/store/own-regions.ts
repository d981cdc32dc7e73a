import { kilometresBetween } from '../../shared/lib/distance.ts';
import type { SearchedPlace, SearchTerms } from '../../shared/lib/matches-search.ts';

type SearchedArea = Pick<SearchTerms, 'region' | 'locationId' | 'withinKm'>;
type Towns = ReadonlyMap<string, SearchedPlace>;

/**
 * The regions that a person works in, each once: of the business's town first, then of the saved searches, in their
 * order; of one with a distance all that it reaches, the nearest first, for it finds jobs beyond a border as well.
 */
export function ownRegions(
  businessTown: string | null | undefined,
  searches: readonly SearchedArea[],
  towns: Towns,
): string[] {
  const regions = [
    towns.get(businessTown ?? '')?.region,
    ...searches.flatMap((search) => regionsOf(search, towns)),
  ].filter((region) => region !== undefined && region !== null && region !== '');
  return [...new Set(regions)] as string[];
}

function regionsOf({ region, locationId, withinKm }: SearchedArea, towns: Towns): (string | null)[] {
  const town = towns.get(locationId ?? '');
  if (town === undefined) return [region];
  const { position } = town;
  if (withinKm === null || position === undefined) return [town.region];
  const near = [...towns.values()]
    .flatMap((other) =>
      other.position === undefined ? [] : [{ region: other.region, km: kilometresBetween(position, other.position) }],
    )
    .filter(({ km }) => km <= withinKm)
    .toSorted((one, other) => one.km - other.km);
  return [town.region, ...near.map(({ region: reached }) => reached)];
}
