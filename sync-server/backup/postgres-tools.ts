import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { BackupProblem } from './backup-folder.ts';

/**
 * Runs a client program of PostgreSQL, found on the PATH, against a database. The password goes by the environment:
 * every user of the machine can read arguments.
 *
 * @throws BackupProblem with what it said, where it is not there or ends with anything but 0.
 */
export async function runTool(tool: 'pg_dump' | 'pg_restore', url: string, args: readonly string[]): Promise<void> {
  const bare = new URL(url);
  const password = decodeURIComponent(bare.password);
  bare.password = '';
  const env = { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) };
  try {
    await promisify(execFile)(tool, [`--dbname=${bare.href}`, '--no-password', ...args], {
      env,
      maxBuffer: 16 * 1024 * 1024,
    });
  } catch (error) {
    const { code, stderr = '', message } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === 'ENOENT')
      throw new BackupProblem(
        `${tool} is not on this machine: install PostgreSQL’s client programs, not older than the server (Debian, Ubuntu: postgresql-client).`,
        { cause: error },
      );
    throw new BackupProblem(`${tool} failed, and nothing more was done: ${stderr.trim() || message}`, { cause: error });
  }
}
