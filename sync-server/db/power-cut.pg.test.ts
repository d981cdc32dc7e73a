import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeUser } from '../../shared/testing/make.ts';
import { pgliteTemplate } from '../testing/pglite-template.ts';
import { openPglite, type PgliteDatabase } from './open-pglite.ts';
import { insertRows } from './write-rows.ts';

/*
 * A cut of the power under the embedded database. The double is the disk: it keeps of each file what was in it when it
 * was last synced, and forgets one that never was. Names are as they are at the cut; a real disk may keep more of
 * either.
 */

let folder: string;
/** By inode: what was in the file when it was last synced. */
let synced: Map<number, Buffer>;
let database: PgliteDatabase | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dwang-cut-'));
  synced = new Map();
  const real = fs.fsyncSync;
  vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    real(descriptor);
    const { ino, size } = fs.fstatSync(descriptor);
    if (!fs.fstatSync(descriptor).isFile()) return;
    const content = Buffer.alloc(size);
    fs.readSync(descriptor, content, 0, size, 0);
    synced.set(ino, content);
  });
  syncBuiltinESMExports();
});
afterEach(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await database?.close();
  database = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** What the disk has of a directory after a cut at this moment, in another one. */
function cutPower(directory: string): string {
  const after = `${directory}-after`;
  for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const to = join(after, from.slice(directory.length));
    if (entry.isDirectory()) fs.mkdirSync(to, { recursive: true, mode: 0o700 });
    const content = entry.isFile() ? synced.get(fs.statSync(from).ino) : undefined;
    if (content === undefined) continue;
    fs.mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    fs.writeFileSync(to, content);
  }
  return after;
}

it('what the embedded database acknowledged is there after a cut of the power, from its first start on', async () => {
  const dataDir = join(folder, 'database');
  database = await openPglite({ dataDir, template: await pgliteTemplate() });
  const people = Array.from({ length: 5 }, () => makeUser());
  for (const person of people) await insertRows(database.sql, 'users', [person]);
  const after = cutPower(dataDir);
  const again = await openPglite({ dataDir: after });
  const rows = await again.sql.selectFrom('users').select('id').execute();
  await again.close();
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(people.map(({ id }) => id)));
});
