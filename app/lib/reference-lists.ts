import type { Position } from '../../shared/lib/distance.ts';
import { positionOf } from '../../shared/lib/position-of.ts';
import type { CollectionRow } from '../../shared/tables/collections.ts';
import { compareNames } from '../../shared/lib/compare-names.ts';

export interface Place {
  readonly id: string;
  readonly region: string;
  readonly town: string;
  /** Undefined where the list came from a server that knew no positions yet. */
  readonly position?: Position | undefined;
}

/** The lists to choose from, as screens ask for them. */
export interface ReferenceLists {
  readonly categories: readonly { readonly id: string; readonly name: string }[];
  /** North to south, as the list came. */
  readonly regions: readonly string[];
  readonly places: readonly Place[];
  townsIn(region: string): readonly Place[];
  categoryName(id: string): string | undefined;
  place(id: string | null): Place | undefined;
}

export function createReferenceLists(rows: readonly CollectionRow<'reference'>[]): ReferenceLists {
  const categories = rows
    .filter((row) => row.kind === 'category')
    .toSorted((one, other) => compareNames(one.name, other.name));
  const places = rows.flatMap((row): Place[] =>
    row.kind === 'location' && row.region !== null
      ? [{ id: row.id, region: row.region, town: row.name, position: positionOf(row) }]
      : [],
  );
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  const byId = new Map(places.map((place) => [place.id, place]));
  const byRegion = new Map<string, Place[]>();
  for (const place of places.toSorted((one, other) => compareNames(one.town, other.town))) {
    byRegion.set(place.region, [...(byRegion.get(place.region) ?? []), place]);
  }
  return {
    categories,
    regions: [...byRegion.keys()].toSorted(
      (one, other) => regionOrder(one) - regionOrder(other) || compareNames(one, other),
    ),
    places,
    townsIn: (region) => byRegion.get(region) ?? [],
    categoryName: (id) => names.get(id),
    place: (id) => (id === null ? undefined : byId.get(id)),
  };
}

/** People look for their region on the map, from the top. */
const northToSouth = [
  'Northland',
  'Auckland',
  'Waikato',
  'Bay of Plenty',
  'Gisborne',
  "Hawke's Bay",
  'Taranaki',
  'Manawatū-Whanganui',
  'Wellington',
  'Tasman',
  'Nelson',
  'Marlborough',
  'West Coast',
  'Canterbury',
  'Otago',
  'Southland',
  'Chatham Islands',
];

function regionOrder(region: string): number {
  const at = northToSouth.findIndex((name) => compareNames(name, region) === 0);
  return at === -1 ? northToSouth.length : at;
}

/** `Winton, Southland`; a town that is called as its region is named once. */
export function placeName({ town, region }: Place): string {
  return town === region ? town : `${town}, ${region}`;
}

/** The chosen trades, in words, because the list of them is longer than a screen. */
export function chosenWords(ids: readonly string[], lists: Pick<ReferenceLists, 'categories'>): string {
  const names = lists.categories.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
  return names.length === 0 ? 'Choose every trade you take jobs in.' : `Chosen: ${names.join(', ')}`;
}

interface Placed {
  readonly locationId: string | null;
  readonly address: string | null;
  readonly suburb: string | null;
}

/**
 * Where a job is: town and region, or address and suburb for older jobs. Blank until the towns are on this phone: their
 * line is there, and says nothing that is taken back.
 */
export function placeWords(lists: ReferenceLists, job: Placed): string {
  const place = lists.place(job.locationId);
  if (place !== undefined) return placeName(place);
  if (job.locationId !== null && lists.places.length === 0) return '\u00a0';
  return [job.address, job.suburb].filter((part) => part !== null && part !== '').join(', ') || 'New Zealand';
}
