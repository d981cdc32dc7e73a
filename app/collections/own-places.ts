import type { Manifest } from '../../shared/protocol/segment.ts';
import type { Search, User } from '../../shared/tables/index.ts';
import type { PersonDb } from '../db/person-db.ts';
import type { CollectionDbs } from './collection-dbs.ts';
import { findInCollection } from './find-in-collection.ts';

/** What a filter that a person leaves says of where; `app/features/jobs/remembered-filters.ts` writes it. */
type LastFilters = { readonly region?: string; readonly town?: string } | undefined;

/** What is read of a person before each request: from this tab's memory, where that is what the disk holds. */
interface Known {
  readonly person: User | undefined;
  readonly searches: readonly Search[];
  readonly filters: LastFilters;
}

async function readKnown(db: PersonDb, userId: string): Promise<Known> {
  const { rows } = db;
  const { users, searches, meta } = rows.stored;
  if (rows.at() !== undefined)
    return {
      person: users.get(userId),
      searches: [...searches.values()],
      filters: meta.get('filters')?.value as LastFilters,
    };
  const [person, saved, filters] = await Promise.all([
    db.users.get(userId),
    db.searches.toArray(),
    db.meta.get('filters'),
  ]);
  return { person, searches: saved, filters: filters?.value as LastFilters };
}

/** The person's own row: as `readKnown`. */
export async function readPerson(db: PersonDb, userId: string): Promise<User | undefined> {
  return db.rows.at() === undefined ? db.users.get(userId) : db.rows.stored.users.get(userId);
}

/**
 * Where a person works, for comparison: their business's town, their saved searches, and where they last looked. The
 * server reads the first two, and puts the segments of those regions first (`Manifest.near`).
 */
export async function readOwnPlaces(db: PersonDb, userId: string): Promise<string> {
  const { person, searches, filters } = await readKnown(db, userId);
  const tradieId = person?.tradieId ?? '';
  const business = db.rows.at() === undefined ? await db.tradies.get(tradieId) : db.rows.stored.tradies.get(tradieId);
  return JSON.stringify([
    business?.locationId,
    searches
      .filter(({ removedAt }) => removedAt === null)
      .toSorted((one, other) => (one.id < other.id ? -1 : 1))
      .map(({ locationId, region }) => [locationId, region]),
    filters?.region,
    filters?.town,
  ]);
}

/** The region that the last filters name, or that has their town; undefined where there is none, or it is not known. */
export async function readLastRegion({ personDb, publicDb }: CollectionDbs): Promise<string | undefined> {
  const filters = (await personDb?.meta.get('filters'))?.value as LastFilters;
  const { region, town } = filters ?? {};
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
