import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Client, DatabaseError } from 'pg';
import { BackupProblem, exists, readManifest, type BackupManifest } from './backup-folder.ts';

const otherwise =
  'Recover to a point in time, or promote the standby (docs/backup.md); or restore it nevertheless, with --lose-what-was-safe. Nothing was changed.';

/**
 * Phones keep no change that they were told to be safe. A backup that lacks one, where an archive, a standby or a later
 * backup has it, would lose it for good.
 *
 * @param url The database that the backup would replace.
 * @throws BackupProblem
 */
export async function mustHoldWhatIsSafe(url: string, manifest: BackupManifest): Promise<void> {
  const safe = await readSafe(url);
  if (safe === undefined) return;
  // Versions rise from one timeline to the next: after a fail-over it is the former one's that is kept.
  if (BigInt(safe.version) <= BigInt(manifest.headVersion)) return;
  throw new BackupProblem(
    `Phones were told that everything up to version ${safe.version} is safe, by SAFE_BY=${safe.by}, and keep it no more; this backup, of version ${manifest.headVersion}, lacks the last of it. ${otherwise}`,
  );
}

async function readSafe(url: string): Promise<{ by: string; timeline: string; version: string } | undefined> {
  const database = new Client({ connectionString: url });
  try {
    await database.connect();
    const { rows } = await database.query<{ by: string; timeline: string; version: string }>(
      `select by, timeline, version from sync_safe where state = 'safe'`,
    );
    return rows[0];
  } catch (error) {
    // PostgreSQL says "undefined_table" of a database whose version knew nothing of this.
    if (error instanceof DatabaseError && error.code === '42P01') return undefined;
    const why = error instanceof Error ? error.message : String(error);
    throw new BackupProblem(
      `The database that is to be replaced does not say what phones were told to be safe: ${why}. ${otherwise}`,
      { cause: error },
    );
  } finally {
    await database.end();
  }
}

/**
 * The same for embedded data, where backups alone make safe: is there a later one beside it? The database itself is not
 * opened for it.
 *
 * @throws BackupProblem
 */
export async function mustBeNewest(dataDir: string, folder: string): Promise<void> {
  const { madeAt } = await readManifest(folder);
  const backups = join(dataDir, 'backups');
  // The copy elsewhere may be all that there is; a folder that cannot be read says nothing of what is in it.
  if (!(await exists(backups))) return;
  for (const name of await readdir(backups)) {
    const other = join(backups, name);
    if (resolve(other) === resolve(folder) || name.endsWith('.unfinished')) continue;
    if (!(await exists(join(other, 'backup.json')))) continue;
    if ((await readManifest(other)).madeAt > madeAt)
      throw new BackupProblem(
        `There is a later backup, ${other}: phones may have been told that what it holds is safe, and keep it no more. Restore that one, or this one nevertheless, with --lose-what-was-safe. Nothing was changed.`,
      );
  }
}
