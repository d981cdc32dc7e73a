import type { PersonDb } from '../db/person-db.ts';

/** So many stay until others are asked for instead; more where they were chosen together. */
const maxWanted = 3;
const wantedKey = 'regions';

/** The regions that a person has asked for besides their own, the last one first. */
export async function readWantedRegions(db: PersonDb): Promise<readonly string[]> {
  const { rows, meta } = db;
  const entry = rows.at() === undefined ? await meta.get(wantedKey) : rows.stored.meta.get(wantedKey);
  return (entry?.value as string[] | undefined) ?? [];
}

/**
 * The next question asks for these too; they are chosen together and stay together. `here`: those of them whose jobs
 * are on this device, because the person works there or has asked for them before; the latter stay the longest from
 * now. True where there is something to ask the server for.
 */
export async function wantRegions(
  db: PersonDb,
  regions: readonly string[],
  here: readonly string[] = [],
): Promise<boolean> {
  await db.transaction('rw', db.meta, async () => {
    const known = ((await db.meta.get(wantedKey))?.value as string[] | undefined) ?? [];
    const asked = regions.filter((region) => !here.includes(region) || known.includes(region));
    const others = known.filter((region) => !asked.includes(region));
    const value = [...asked, ...others].slice(0, Math.max(maxWanted, asked.length));
    if (value.join('\n') !== known.join('\n')) await db.meta.put({ key: wantedKey, value });
  });
  return regions.some((region) => !here.includes(region));
}
