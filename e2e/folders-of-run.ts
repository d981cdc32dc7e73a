import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryFolder } from '../sync-server/testing/memory-folder.ts';

/** Names the folder in memory to the processes of a run. */
const inMemory = 'DWANG_IN_MEMORY';
const prefix = 'dwang-browsers-';
/** Some ten servers and phones at once, each of less than 100 MB, and PostgreSQL. */
const roomNeeded = 4 * 1024 ** 3;

/** Where the servers and phones of a run have what they write. */
export const foldersOfRun = (): string => process.env[inMemory] ?? tmpdir();

/**
 * Keeps the data of servers and the profiles of phones in memory, where the machine has room there. A process that is
 * killed loses nothing of what it has handed to the system, in memory or on a disk; only a cut of the power could tell
 * the two apart, and no test in a browser cuts it. On a disk every saved write waits for it.
 */
export async function offerFolders(folder?: string, needed = roomNeeded): Promise<() => Promise<void>> {
  const memory = process.env[inMemory] === undefined ? await memoryFolder(prefix, folder, needed) : undefined;
  if (memory === undefined) return () => Promise.resolve();
  await removeAbandoned(memory);
  const made = await mkdtemp(join(memory, `${prefix}${process.pid}-`));
  process.env[inMemory] = made;
  return async () => {
    delete process.env[inMemory];
    await rm(made, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
}

/** Memory is lost to what a killed run has left until the machine restarts. */
async function removeAbandoned(memory: string): Promise<void> {
  for (const name of await readdir(memory)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (pid > 0 && !isRunning(pid)) await rm(join(memory, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
