import { Dexie } from 'dexie';
import type { Manifest } from '../../shared/protocol/segment.ts';
import type { PrivateTableName, Reference, Search, Tradie, User } from '../../shared/tables/index.ts';
import type { CollectionDb, PersonDb } from '../db/person-db.ts';
import type { CollectionDbs } from './collection-dbs.ts';
import { readWantedRegions } from './wanted-regions.ts';
import { findInCollection } from './find-in-collection.ts';

/** What a filter that a person leaves says of where; `app/features/jobs/remembered-filters.ts` writes it. */
type LastFilters = { readonly region?: string; readonly town?: string } | undefined;

/** A person's rows in this tab's memory, where that is what the disk holds: they are read before each request. */
const inMemory = ({ rows }: PersonDb) => (rows.at() === undefined ? undefined : rows.stored);

export async function readPerson(db: PersonDb, userId: string): Promise<User | undefined> {
  const stored = inMemory(db);
  return stored === undefined ? db.users.get(userId) : stored.users.get(userId);
}

async function readSearches(db: PersonDb): Promise<readonly Search[]> {
  const stored = inMemory(db);
  return stored === undefined ? db.searches.toArray() : [...stored.searches.values()];
}

async function readFilters(db: PersonDb): Promise<LastFilters> {
  const stored = inMemory(db);
  const entry = stored === undefined ? await db.meta.get('filters') : stored.meta.get('filters');
  return entry?.value as LastFilters;
}

async function readBusiness(db: PersonDb, tradieId: string): Promise<Tradie | undefined> {
  const stored = inMemory(db);
  return stored === undefined ? db.tradies.get(tradieId) : stored.tradies.get(tradieId);
}

/** Where a person works, as texts for comparison. */
export interface OwnPlaces {
  /**
   * Their business's town and their saved searches, which the server reads and puts first (`Manifest.near`), and where
   * they last looked.
   */
  readonly near: string;
  /** The first two, and the regions that they asked for, in whatever order: what a feed that is held in part is of. */
  readonly held: string;
  /** The first two alone. */
  readonly own: string;
  /** Which list of towns says in which regions they are; empty where none is here yet. */
  readonly towns: string;
}

/** `towns`: see `readTownList`. */
export async function readOwnPlaces(db: PersonDb, userId: string, towns: string): Promise<OwnPlaces> {
  const [person, searches, filters, wanted] = await Promise.all([
    readPerson(db, userId),
    readSearches(db),
    readFilters(db),
    readWantedRegions(db),
  ]);
  const business = person?.tradieId ? await readBusiness(db, person.tradieId) : undefined;
  const own = placesOf(business, searches);
  return {
    own: JSON.stringify(own),
    near: JSON.stringify([own, filters?.region, filters?.town]),
    held: JSON.stringify([own, wanted.toSorted()]),
    towns,
  };
}

/**
 * Names the list of towns on this device: another text where a town may be in another region. Segments are named by
 * what is in them, and few towns are corrected between two snapshots.
 */
export async function readTownList({ shelfStates, fresh }: CollectionDb): Promise<string> {
  const [state, changed] = await Promise.all([
    shelfStates.get('reference'),
    fresh.where('[shelf+id]').between(['reference', Dexie.minKey], ['reference', Dexie.maxKey]).toArray(),
  ]);
  if (state?.manifest == null) return '';
  return JSON.stringify([
    state.manifest.segments.map(({ hash }) => hash),
    changed.map(({ id, row }) => [id, (row as Reference | null)?.region]),
  ]);
}

/** Their business's town and saved searches as the server last said them, without what waits here. */
export async function readPlacesOnServer(db: PersonDb, userId: string): Promise<string> {
  const changed = [...(inMemory(db)?.shadow.values() ?? (await db.shadow.toArray()))];
  const onServer = <Row extends { id: string }>(table: PrivateTableName, here: readonly (Row | undefined)[]): Row[] => {
    const rows = new Map(here.filter((row) => row !== undefined).map((row) => [row.id, row]));
    for (const { table: of, id, row } of changed) {
      if (of !== table) continue;
      if (row === null) rows.delete(id);
      else rows.set(id, row as unknown as Row);
    }
    return [...rows.values()];
  };
  const person = onServer('users', [await readPerson(db, userId)]).find(({ id }) => id === userId);
  const { tradieId } = person ?? {};
  const businesses = tradieId ? onServer('tradies', [await readBusiness(db, tradieId)]) : [];
  const searches = onServer('searches', await readSearches(db));
  return JSON.stringify(
    placesOf(
      businesses.find(({ id }) => id === tradieId),
      searches,
    ),
  );
}

function placesOf(business: Tradie | undefined, searches: readonly Search[]) {
  return [
    business?.locationId,
    searches
      .filter(({ removedAt }) => removedAt === null)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ locationId, region, withinKm }) => [locationId, region, withinKm]),
  ];
}

/** The region that the last filters name, or that has their town; undefined where there is none, or it is not known. */
export async function readLastRegion({ personDb, publicDb }: CollectionDbs): Promise<string | undefined> {
  const { region, town } = (personDb && (await readFilters(personDb))) ?? {};
  if (region !== undefined || town === undefined) return region;
  return (await findInCollection(publicDb, 'reference', town))?.region ?? undefined;
}

/** Puts a region that the server does not know of behind the person's own ones, before the rest. */
export function withRegionNear(manifest: Manifest, wanted: string | undefined): Manifest {
  const { near = 0, segments } = manifest;
  const [own, rest] = [segments.slice(0, near), segments.slice(near)];
  const added = rest.filter(({ region }) => region !== undefined && region === wanted);
  if (added.length === 0) return manifest;
  return {
    ...manifest,
    near: near + added.length,
    segments: [...own, ...added, ...rest.filter((segment) => !added.includes(segment))],
  };
}
