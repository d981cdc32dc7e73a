import { mapPoint, mapShape } from '../../../shared/lib/nz-map.ts';
import { compareNames } from '../../../shared/lib/compare-names.ts';
import type { Place } from '../../lib/reference-lists.ts';

/** Jobs of towns that are too near to each other, at this size, to be pressed apart. */
export interface Cluster {
  /** Most jobs first; it is named after the first and stands there. */
  readonly towns: readonly Place[];
  readonly jobs: number;
  /** The centre on the map, from its left and its top. */
  readonly x: number;
  readonly y: number;
  /** The circle's diameter, in the unit of the map's width. */
  readonly diameter: number;
}

export interface MapSize {
  /** The map's width in rem, so that circles grow with the text in them. */
  readonly width: number;
}

/** The size that a gloved thumb can hit, as `--tap`. The circle may be smaller; what can be pressed is not. */
export const minTargetSize = 3;

/** The diameter in rem: four times as many jobs, a fifth wider. */
export function diameterOf(jobs: number): number {
  return Math.min(4, 1.75 * 1.2 ** Math.log2(Math.sqrt(jobs)));
}

interface Standing {
  towns: Place[];
  jobs: number;
  readonly x: number;
  readonly y: number;
}

/** The clusters of so many jobs in each town, north to south, and how many jobs have no place on the map. */
export function clustersOf(
  counts: ReadonlyMap<string, number>,
  place: (id: string) => Place | undefined,
  { width }: MapSize,
): { readonly clusters: readonly Cluster[]; readonly unplaced: number } {
  const height = width / mapShape;
  let unplaced = 0;
  const alone: Standing[] = [];
  for (const [id, jobs] of counts) {
    const town = place(id);
    const at = town?.position && mapPoint(town.position);
    if (town === undefined || at === undefined) unplaced += jobs;
    else alone.push({ towns: [town], jobs, ...at });
  }
  const most = (one: Standing, other: Standing) =>
    other.jobs - one.jobs || compareNames(one.towns[0]?.town ?? '', other.towns[0]?.town ?? '');
  const reach = ({ jobs }: Standing) => Math.max(minTargetSize, diameterOf(jobs)) / 2;
  const overlap = (one: Standing, other: Standing) =>
    Math.hypot((one.x - other.x) * width, (one.y - other.y) * height) < reach(one) + reach(other);

  // One that takes others in grows and may come to overlap the next: again, until none does. Each time there are fewer.
  let standing = alone.toSorted(most);
  for (let before = Infinity; standing.length < before;) {
    before = standing.length;
    const kept: Standing[] = [];
    for (const one of standing) {
      const into = kept.find((other) => overlap(one, other));
      if (into === undefined) kept.push(one);
      else {
        into.towns.push(...one.towns);
        into.jobs += one.jobs;
      }
    }
    standing = kept.toSorted(most);
  }
  return {
    clusters: standing
      .map((one) => ({ ...one, diameter: diameterOf(one.jobs) }))
      .toSorted((one, other) => one.y - other.y),
    unplaced,
  };
}

/** `Hamilton, 12 jobs`; `Hamilton and 4 more towns, 31 jobs`. */
export function clusterTowns({ towns }: Pick<Cluster, 'towns'>): string {
  const [first, ...others] = towns;
  if (first === undefined) return '';
  return others.length === 0
    ? first.town
    : `${first.town} and ${others.length} more ${others.length === 1 ? 'town' : 'towns'}`;
}
