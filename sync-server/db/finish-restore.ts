import { existsSync, lstatSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder, syncPath } from './sync-folder.ts';

/** What a restore of embedded data replaces, within the data directory. */
const replaced = ['database', 'storage'] as const;

/** The folder in which a restore prepares what it puts in place. */
export const restoreDraft = (dataDir: string) => join(dataDir, 'restoring');
/** Is there once the draft is whole, and names the folder for what was there before. */
const readyFile = (dataDir: string) => join(restoreDraft(dataDir), 'ready');

/**
 * Puts a whole draft in the place of the data. Broken off anywhere from now on, it is finished by `finishRestore`.
 *
 * @throws where a part is a file system of its own, which cannot be moved; nothing is changed.
 */
export async function replaceData(dataDir: string, aside: string): Promise<void> {
  for (const part of replaced) {
    // Without this the move would fail after the restore has begun, and at every start from then on.
    const place = lstatSync(join(dataDir, part), { throwIfNoEntry: false });
    if (place !== undefined && place.dev !== lstatSync(restoreDraft(dataDir)).dev)
      throw new Error(
        `${join(dataDir, part)} is a file system of its own and cannot be moved aside: mount DATA_DIR as a whole. Nothing was changed`,
      );
  }
  const unnamed = join(restoreDraft(dataDir), 'ready.unfinished');
  await writeFile(unnamed, aside, { mode: 0o600 });
  syncFolder(restoreDraft(dataDir));
  await move(unnamed, readyFile(dataDir));
  await finishRestore(dataDir);
}

/**
 * Finishes a restore that was broken off while it moved the data: the next start would otherwise find no database, and
 * begin with an empty one. The data directory is claimed.
 */
export async function finishRestore(dataDir: string): Promise<void> {
  if (!existsSync(readyFile(dataDir))) return;
  const aside = join(dataDir, await readFile(readyFile(dataDir), 'utf8'));
  for (const part of replaced) {
    const [draft, place] = [join(restoreDraft(dataDir), part), join(dataDir, part)];
    // What has left the draft is in its place.
    if (!existsSync(draft)) continue;
    if (existsSync(place)) {
      await mkdir(aside, { recursive: true, mode: 0o700 });
      syncPath(dataDir);
      await move(place, join(aside, part));
    }
    await move(draft, place);
  }
  await rm(restoreDraft(dataDir), { recursive: true, force: true });
}

/** Has both names on the disk before anything follows. */
async function move(from: string, to: string): Promise<void> {
  await rename(from, to);
  for (const folder of new Set([dirname(to), dirname(from)])) syncPath(folder);
}
