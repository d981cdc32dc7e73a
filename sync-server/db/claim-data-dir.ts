import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepPrivate } from './keep-private.ts';

/** Another process has it open. */
export class DataDirInUse extends Error {
  override name = 'DataDirInUse';
}

/**
 * Makes this process the only one on a data directory: two embedded databases over the same files would ruin them. The
 * claim of a process that died does not count.
 *
 * @returns releases the claim.
 * @throws DataDirInUse where a living process has it; DataDirOpen as `keepPrivate`.
 */
export async function claimDataDir(dataDir: string): Promise<() => Promise<void>> {
  await keepPrivate(dataDir);
  const file = join(dataDir, 'in-use-by');
  const own = await describe(process.pid);
  for (;;) {
    try {
      await writeFile(file, own, { flag: 'wx' });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = await readFile(file, 'utf8').catch(() => '');
    const pid = Number(holder.split(' ')[0]);
    if (pid > 0 && (await describe(pid)) === holder)
      throw new DataDirInUse(
        `DATA_DIR ${dataDir} is in use by process ${pid}: stop that one first, or give this one another DATA_DIR`,
      );
    await rm(file, { force: true });
  }
}

/**
 * A process by number and, where the system tells, by its start time: numbers are used again after a restart. Empty for
 * one that is gone.
 */
async function describe(pid: number): Promise<string> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return '';
  }
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const began = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return `${pid} ${began} ${boot.trim()}`.trimEnd();
}
