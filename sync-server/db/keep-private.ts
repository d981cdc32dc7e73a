import { chmod, mkdir, stat } from 'node:fs/promises';

/** Others on this machine may read the data directory, and we cannot change that. */
export class DataDirOpen extends Error {
  override name = 'DataDirOpen';
}

/**
 * Creates the data directory for its owner alone (0700): signing keys, password hashes and all mail are below it, and a
 * directory that may not be entered protects everything below. One of an earlier version, or made by hand, is
 * corrected. On a system without such rights (Windows) nothing is checked.
 *
 * @returns what was corrected, to be logged; undefined where nothing was.
 * @throws DataDirOpen where it is open to all users of the machine and belongs to another one.
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
  // A volume that is owned by a group, as container platforms do: the platform chose the group.
  if ((mode & 0o007) === 0) return `DATA_DIR belongs to another account and is open to its group (mode ${octal})`;
  throw new DataDirOpen(
    `DATA_DIR ${dataDir} belongs to another account and is open to everybody on this machine (mode ${octal}): chmod 700 it, or give another DATA_DIR`,
  );
}
