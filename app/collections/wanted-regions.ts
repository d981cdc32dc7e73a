import type { PersonDb } from '../db/person-db.ts';

/** So many stay until others are asked for instead. */
const maxWanted = 3;
const wantedKey = 'regions';

/** The regions that a person has asked for besides their own, the last one first. */
export async function readWantedRegions(db: PersonDb): Promise<readonly string[]> {
  const { rows, meta } = db;
  const entry = rows.at() === undefined ? await meta.get(wantedKey) : rows.stored.meta.get(wantedKey);
  return (entry?.value as string[] | undefined) ?? [];
}

/** The next question asks for this region too. */
export async function wantRegion(db: PersonDb, region: string): Promise<void> {
  await db.transaction('rw', db.meta, async () => {
    const known = ((await db.meta.get(wantedKey))?.value as string[] | undefined) ?? [];
    const value = [region, ...known.filter((one) => one !== region)].slice(0, maxWanted);
    await db.meta.put({ key: wantedKey, value });
  });
}
