import { chmod, mkdir, stat } from 'node:fs/promises';

/** Others on this machine may read the data directory, and we cannot change that. */
export class DataDirOpen extends Error {
  override name = 'DataDirOpen';
}

/**
 * Makes the data directory, and makes it its owner's alone (0700): signing keys, password hashes and everybody's mail lie below it, and
 * nobody passes a directory that they may not enter. One of an earlier version, or made by hand, is mended. On a system without such
 * rights (Windows) nothing is looked at.
 *
 * @returns what was mended, to be logged; undefined where all was well.
 * @throws DataDirOpen where it is open to everybody on the machine and belongs to somebody else.
 */
export async function keepPrivate(dataDir: string): Promise<string | undefined> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (process.getuid === undefined) return undefined;
  const { mode } = await stat(dataDir);
  const octal = (mode & 0o777).toString(8).padStart(3, '0');
  if ((mode & 0o077) === 0) return undefined;
  try {
    await chmod(dataDir, 0o700);
    return `DATA_DIR was open to others on this machine (mode ${octal}); it is its owner's alone now (700)`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
  // A volume that is lent to a group, as container platforms do: the group was chosen by whoever lent it.
  if ((mode & 0o007) === 0) return `DATA_DIR belongs to another account and is open to its group (mode ${octal})`;
  throw new DataDirOpen(`DATA_DIR ${dataDir} belongs to another account and is open to everybody on this machine (mode ${octal}): chmod 700 it, or give another DATA_DIR`);
}
