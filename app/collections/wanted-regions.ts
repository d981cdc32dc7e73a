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

/**
 * The next question asks for this region too. `isHere`: its jobs are on this device, because the person works there or
 * has asked for it before; then it is only the last that was asked for. True where there is something to ask the server
 * for.
 */
export async function wantRegion(db: PersonDb, region: string, isHere = false): Promise<boolean> {
  return db.transaction('rw', db.meta, async () => {
    const known = ((await db.meta.get(wantedKey))?.value as string[] | undefined) ?? [];
    if (known[0] === region || (isHere && !known.includes(region))) return !isHere;
    const value = [region, ...known.filter((one) => one !== region)].slice(0, maxWanted);
    await db.meta.put({ key: wantedKey, value });
    return !isHere;
  });
}
