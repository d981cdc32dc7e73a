import type { PersonDb } from '../db/person-db.ts';

/**
 * Where a person works, for comparison: their business's town and their saved searches. The server reads the same, and
 * puts the segments of those regions first (`Manifest.near`).
 */
export async function readOwnPlaces(db: PersonDb, userId: string): Promise<string> {
  const [person, searches] = await Promise.all([db.users.get(userId), db.searches.toArray()]);
  const business = person?.tradieId ? await db.tradies.get(person.tradieId) : undefined;
  return JSON.stringify([
    business?.locationId,
    searches.filter(({ removedAt }) => removedAt === null).map(({ locationId, region }) => [locationId, region]),
  ]);
}
