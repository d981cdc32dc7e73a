import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPglite } from '../db/open-pglite.ts';

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/dwang/pglite');

/**
 * A migrated, empty PGlite as a dump, made once for each state of the migrations: first start takes seconds, loading
 * this a fraction of one.
 */
export async function pgliteTemplate(): Promise<Blob> {
  const file = join(cache, `${await stateOfMigrations()}.tar`);
  if (!(await exists(file))) await make(file);
  return new Blob([new Uint8Array(await readFile(file))]);
}

async function make(file: string): Promise<void> {
  const database = await openPglite({});
  await database.migrate();
  const dump = await database.dump();
  await database.close();
  await mkdir(cache, { recursive: true });
  const before = await readdir(cache);
  // Several workers may get here at once: each writes its own, the last rename wins with the same content.
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, new Uint8Array(await dump.arrayBuffer()));
  await rename(draft, file);
  const stale = before.filter((name) => name.endsWith('.tar') && !file.endsWith(name));
  await Promise.all(stale.map((name) => rm(join(cache, name), { force: true })));
}

/** Migrations may read from what they import, so all of db/ and the tables count. */
async function stateOfMigrations(): Promise<string> {
  const hash = createHash('sha256');
  hash.update(await readFile(join(root, 'node_modules/@electric-sql/pglite/package.json')));
  for (const folder of ['sync-server/db', 'shared/tables']) {
    const names = await readdir(join(root, folder), { recursive: true });
    for (const name of names.sort()) {
      if (/\.(ts|sql|csv|json)$/.test(name) && !name.includes('.test.'))
        hash.update(name).update(await readFile(join(root, folder, name)));
    }
  }
  return hash.digest('hex').slice(0, 16);
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
