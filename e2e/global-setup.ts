import { existsSync } from 'node:fs';
import { cp } from 'node:fs/promises';
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
  const endManyJobs = await offerManyJobs();
  const kept = process.env[firstStart];
  if (kept !== undefined && existsSync(kept)) return endManyJobs;
  delete process.env[firstStart];
  const server = await openServer();
  await server.stop();
  await weakenDemoPasswords(server.dataDir);
  if (kept !== undefined) await cp(server.dataDir, kept, { recursive: true });
  process.env[firstStart] = kept ?? server.dataDir;
  return async () => {
    delete process.env[firstStart];
    await server.close();
    await endManyJobs();
  };
}
