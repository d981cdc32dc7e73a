import { cpSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { packagedPostgres } from './postgres-binaries.ts';
import { startPostgres } from './start-postgres.ts';
import { openTestDb } from './test-db.ts';
import { noTestPostgresVariable } from './test-postgres.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'dwang-home-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

/**
 * The packages as `npm ci` lays them in a clone in root’s home under `umask 077`: no other user may enter, nor read
 * anything.
 */
async function closedClone(): Promise<string> {
  const native = join(home, 'Te Kāika o te hōu', 'native');
  // A thousand files: one call takes a sixth of what it takes file by file.
  cpSync(packagedPostgres(), native, { recursive: true, verbatimSymlinks: true });
  for (const entry of await readdir(native, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink())
      await chmod(
        join(entry.parentPath, entry.name),
        entry.isDirectory() || entry.parentPath.endsWith('/bin') ? 0o700 : 0o600,
      );
  }
  await chmod(home, 0o700);
  return native;
}

test('a clone that other users may not enter starts PostgreSQL, as root too, where the temporary folder is closed as well', async () => {
  const closed = join(home, 'tmp');
  await mkdir(closed, { mode: 0o700 });
  const native = await closedClone();
  vi.stubEnv('TMPDIR', closed);
  const server = await startPostgres({ isDurable: false, native });
  const client = new Client({ connectionString: server.urlOf('postgres') });
  await client.connect();
  expect((await client.query<{ sum: number }>('select 1 + 1 as sum')).rows).toEqual([{ sum: 2 }]);
  await client.end();
  await server.stop();
  expect(await readdir(closed)).toEqual([]);
});

test('where PostgreSQL cannot be started it is said at once, and nothing is left behind', async () => {
  vi.stubEnv('TMPDIR', home);
  await expect(startPostgres({ isDurable: false, native: join(home, 'nowhere') })).rejects.toThrow(
    'PostgreSQL did not start: ',
  );
  expect(await readdir(home)).toEqual([]);
});

test('a test that needs the PostgreSQL that did not start fails with the reason', async () => {
  vi.stubEnv(noTestPostgresVariable, 'PostgreSQL did not start: no room');
  await expect(openTestDb('postgres')).rejects.toThrow('PostgreSQL did not start: no room');
  const pglite = await openTestDb('pglite');
  await pglite.close();
});
