import { withConnection } from '../db/connection.ts';
import type { DeviceDb, Person } from './device-db.ts';

/** A page as its person last saw it: shown again while the app starts. */
export interface KeptScreen {
  readonly userId: string;
  /** The query of its address; an address without one leads to it as well. */
  readonly search: string;
  /** The entry script of the build that wrote it: another build has other styles. */
  readonly build: string;
  /** Of the tab. */
  readonly title: string;
  /** Addresses of the style sheets that it needs. */
  readonly styles: readonly string[];
  /** Width of the window, in CSS pixels. */
  readonly width: number;
  /** By this device's clock, milliseconds since 1970: the right to what it shows ends then. Null: no end is known. */
  readonly until: number | null;
  /** What the document's body holds in the app's place. No scripts, no styles in attributes. */
  readonly html: string;
}

/** The pages that are kept. */
export const isKept = (path: string): boolean => path === '/find-jobs';

const keyOf = (path: string) => `screen:${path}` as const;

/** Keeps a page for its next cold start, where its person is still this device's; undefined deletes it. */
export async function keepScreen(db: DeviceDb, path: string, screen: KeptScreen | undefined): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', 'entries', async () => {
      if (screen === undefined) return db.entries.delete(keyOf(path));
      const person = (await db.entries.get('person'))?.value as Person | undefined;
      if (person?.userId === screen.userId) await db.entries.put({ key: keyOf(path), value: screen });
    }),
  );
}

/** The page kept for this address, where it is this device's person's and they may still see it. */
export async function readKeptScreen(
  db: DeviceDb,
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
  now: number,
): Promise<KeptScreen | undefined> {
  const [person, kept] = await withConnection(db, () => db.entries.bulkGet(['person', keyOf(pathname)]));
  const screen = kept?.value as KeptScreen | undefined;
  if (screen === undefined || screen.userId !== (person?.value as Person | undefined)?.userId) return undefined;
  if (screen.until !== null && screen.until <= now) return undefined;
  return search === '' || search === screen.search ? screen : undefined;
}

/** Deletes all of them: their person leaves, another one comes, or the right to what they show has ended. */
export async function forgetScreens(db: DeviceDb): Promise<void> {
  await db.entries.where('key').startsWith('screen:').delete();
}
