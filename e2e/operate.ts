import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { must } from '../shared/lib/must.ts';
import type { RunningServer } from './open-server.ts';

/**
 * An operator's command, as `npm run ops` would run it on the server's machine. Asynchronous: the browsers and the test
 * runner need answers meanwhile. @throws with what it printed.
 */
export async function operate(
  { dataDir }: Pick<RunningServer, 'dataDir'>,
  environment: Readonly<Record<string, string>>,
  what: string,
  ...args: string[]
): Promise<string> {
  const done = promisify(execFile)(process.execPath, [join('scripts', 'ops.ts'), what, ...args], {
    env: { ...process.env, DATA_DIR: dataDir, ...environment },
  });
  const { stdout } = await done.catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${what}: ${error.stdout}${error.stderr}`, { cause: error });
  });
  return stdout;
}

/** The folder of a backup that is made now. */
export async function backUp(server: RunningServer, environment: Readonly<Record<string, string>> = {}) {
  const said = await operate(server, environment, 'backup');
  return must(/^(.*): the database/.exec(said)?.[1], 'the backup’s folder');
}

/** Stops the server, puts the backup in the place of its database, and starts it again. */
export async function putBack(
  server: RunningServer,
  backup: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  await server.stop();
  await operate(server, environment, 'restore', '--from', backup);
  await server.start();
}
