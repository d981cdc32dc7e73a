import { existsSync } from 'node:fs';
import { readdir, readFile, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes that must be free: some ten databases at once, and the log of a gigabyte that PostgreSQL may keep. */
const roomNeeded = 3 * 1024 ** 3;

/**
 * Linux’s folder in memory, for databases that are thrown away: a clone of the template takes a tenth of the time that
 * it takes on a disk. Undefined where there is none, where it has too little room, and where TMPDIR says another place.
 * Databases there whose server was killed are removed, because memory would be lost to them until the machine restarts.
 */
export async function memoryFolder(
  prefix: string,
  folder = '/dev/shm',
  needed = roomNeeded,
): Promise<string | undefined> {
  if (process.env['TMPDIR'] !== undefined) return undefined;
  try {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (name.startsWith(prefix) && (await isAbandoned(path))) await rm(path, { recursive: true, force: true });
    }
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize >= needed ? folder : undefined;
  } catch {
    // On another system than Linux, or where the folder is not ours to read, the disk serves as well.
    return undefined;
  }
}

/**
 * Its server is gone. One that is just being set up has no `postmaster.opts`, but at times the lock of a process of
 * initdb that has ended.
 */
async function isAbandoned(path: string): Promise<boolean> {
  const pid = await readFile(join(path, 'data/postmaster.pid'), 'utf8').catch(() => '');
  if (pid === '' || !existsSync(join(path, 'data/postmaster.opts'))) return false;
  try {
    process.kill(Number.parseInt(pid, 10), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
