import { kilometresBetween, type Position } from '../../../shared/lib/distance.ts';
import type { Place, ReferenceLists } from '../../lib/reference-lists.ts';
import { formatNumber } from '../../lib/format-number.ts';

/** Kilometres in a straight line to each town that has a position, by its id: some 400, however many jobs there are. */
export type Distances = ReadonlyMap<string, number>;

export function distancesFrom(from: Position, places: readonly Place[]): Distances {
  return new Map(
    places.flatMap(({ id, position }): (readonly [string, number])[] =>
      position === undefined ? [] : [[id, kilometresBetween(from, position)]],
    ),
  );
}

/** The regions that have a town within so many kilometres, the nearest first. */
export function regionsWithin(km: number, distances: Distances, { place }: ReferenceLists): readonly string[] {
  const near = [...distances].filter(([, far]) => far <= km).toSorted(([, one], [, other]) => one - other);
  return [...new Set(near.flatMap(([id]) => place(id)?.region ?? []))];
}

/** The town whose middle is nearest; undefined where no town has a position. */
export function nearestTown(from: Position, places: readonly Place[]): Place | undefined {
  const distances = distancesFrom(from, places);
  const kmOf = ({ id }: Place) => distances.get(id) ?? Infinity;
  return places
    .filter(({ id }) => distances.has(id))
    .reduce<Place | undefined>((best, place) => (best && kmOf(best) <= kmOf(place) ? best : place), undefined);
}

/** Nearer than that is within what towns' positions, and the phone's rounded one, are good for. */
const minKm = 2;

/**
 * `38 km`, never on two lines. Towns are points and jobs are somewhere in them: nothing is said to be nearer than that.
 */
export function kmWords(km: number): string {
  return km < minKm ? `under ${minKm}\u{A0}km` : `${formatNumber(Math.round(km))}\u{A0}km`;
}

/** Where a tradie is. */
export interface Origin {
  /** The place is this phone's, and not their base town. */
  readonly isPhone: boolean;
  readonly position: Position;
  /** Their base town, or the one nearest to the phone. */
  readonly town: Place | undefined;
  /** ISO instant at which the phone was there. */
  readonly at?: string;
}

/** How far jobs are from a tradie, as far as that is known. */
export interface DistanceContext {
  /** False while it is still being read from this device. */
  readonly isRead: boolean;
  /** Their profile names no base town. */
  readonly lacksTown: boolean;
  readonly origin: Origin | undefined;
  readonly distances: Distances | undefined;
  /** Distances from a town; undefined where it has no position. */
  readonly distancesFrom: (locationId: string) => Distances | undefined;
}

/** `38 km`, `your town`; undefined where the job's town or where this tradie is is not known. */
export function distanceWords(
  { locationId }: { readonly locationId: string | null },
  { origin, distances }: Pick<DistanceContext, 'origin' | 'distances'>,
): string | undefined {
  const km = locationId === null ? undefined : distances?.get(locationId);
  if (km === undefined) return undefined;
  return origin?.isPhone === false && origin.town?.id === locationId ? 'your town' : kmWords(km);
}
