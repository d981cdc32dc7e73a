import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { offerFolders } from './folders-of-run.ts';
import { offerManyJobs } from './many-jobs.ts';
import { firstStart, openServer } from './open-server.ts';
import { weakenDemoPasswords } from './weaken-passwords.ts';

/**
 * Once before all tests in a browser: a first start on an empty folder, whose data every test’s own server begins with.
 * Where the environment already names a folder (`scripts/run-tests.ts`), the first run leaves the data there for the
 * runs that follow.
 */
// oxlint-disable-next-line import/no-default-export -- playwright reads the default export
export default async function prepare(): Promise<() => Promise<void>> {
  const removeFolders = await offerFolders();
  const endManyJobs = await offerManyJobs();
  const end = async () => {
    await endManyJobs();
    await removeFolders();
  };
  const kept = process.env[firstStart];
  if (kept !== undefined && existsSync(kept)) return end;
  delete process.env[firstStart];
  const server = await openServer();
  await server.stop();
  await weakenDemoPasswords(server.dataDir);
  shareLessMemory(server.dataDir);
  if (kept !== undefined) cpSync(server.dataDir, kept, { recursive: true });
  process.env[firstStart] = kept ?? server.dataDir;
  return async () => {
    delete process.env[firstStart];
    await server.close();
    await end();
  };
}

/**
 * The embedded PostgreSQL lays out all of its shared buffers as it starts, which takes a tenth of a start and 100 MB;
 * no test has so many rows that it needs them. What measures a server (`bench/`) has them.
 */
function shareLessMemory(dataDir: string): void {
  const file = join(dataDir, 'database/postgresql.conf');
  const settings = readFileSync(file, 'utf8');
  const fewer = settings.replace('shared_buffers = 128MB', 'shared_buffers = 16MB');
  if (fewer === settings) throw new Error('The embedded PostgreSQL sets its shared buffers elsewhere.');
  writeFileSync(file, fewer);
}
