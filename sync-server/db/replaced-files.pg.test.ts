import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeUser } from '../../shared/testing/make.ts';
import { pgliteTemplate } from '../testing/pglite-template.ts';
import { noticeRestore } from './notice-restore.ts';
import { openPglite, type PgliteDatabase } from './open-pglite.ts';
import { insertRows } from './write-rows.ts';

const log = { warn: () => undefined };
let home: string;
let dataDir: string;
let copy: string;
let open: PgliteDatabase[];

const start = async () => {
  const database = await openPglite({ dataDir });
  open.push(database);
  return { database, hasBegun: await noticeRestore(database, log) };
};
const points = async (database: PgliteDatabase) =>
  (await sql<{ point: string }>`select point from sync_timeline`.execute(database.sql)).rows.map(({ point }) => point);

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'dwang-replaced-'));
  dataDir = join(home, 'database');
  copy = join(home, 'copy');
  open = [];
  await (await openPglite({ dataDir, template: await pgliteTemplate() })).close();
});
afterEach(async () => {
  for (const database of open) await database.close();
  await rm(home, { recursive: true });
});

it('[S5] files that were put back by hand while no server ran begin a new timeline at the next start; a restart does not', async () => {
  const first = await start();
  await insertRows(first.database.sql, 'users', [makeUser()]);
  const head = (await sql<{ head: string }>`select max(version) as head from sync_change`.execute(first.database.sql))
    .rows[0]!.head;
  await first.database.close();
  await cp(dataDir, copy, { recursive: true, preserveTimestamps: true });
  const second = await start();
  await insertRows(second.database.sql, 'users', [makeUser()]);
  await second.database.close();
  const third = await start();
  await third.database.close();
  expect([first.hasBegun, second.hasBegun, third.hasBegun]).toEqual([false, false, false]);
  await rm(dataDir, { recursive: true });
  await rename(copy, dataDir);
  const putBack = await start();
  expect(putBack.hasBegun).toBe(true);
  expect(await points(putBack.database)).toEqual([head]);
  await putBack.database.close();
  expect((await start()).hasBegun).toBe(false);
});

it('[S5] files that are replaced under a running process are neither read nor written by it, and begin a new timeline at the next start', async () => {
  const { database } = await start();
  const kept = makeUser();
  await insertRows(database.sql, 'users', [kept]);
  await sql`checkpoint`.execute(database.sql);
  await cp(dataDir, copy, { recursive: true, preserveTimestamps: true });
  await insertRows(database.sql, 'users', [makeUser()]);
  await rename(dataDir, join(home, 'aside'));
  await expect(sql`select from users`.execute(database.sql)).rejects.toMatchObject({ name: 'TimelineEnded' });
  await rename(copy, dataDir);
  const control = await readFile(join(dataDir, 'global/pg_control'));
  const ended = { name: 'TimelineEnded', message: expect.stringContaining('replaced') };
  await expect(sql`select from users`.execute(database.sql)).rejects.toMatchObject(ended);
  await expect(database.sql.selectFrom('users').select('id').execute()).rejects.toMatchObject(ended);
  await expect(database.transaction((tx) => insertRows(tx, 'users', [makeUser()]))).rejects.toMatchObject(ended);
  await expect(database.dump()).rejects.toMatchObject(ended);
  await database.close();
  expect((await readFile(join(dataDir, 'global/pg_control'))).equals(control)).toBe(true);
  const next = await start();
  expect(next.hasBegun).toBe(true);
  expect(await next.database.sql.selectFrom('users').select('id').execute()).toEqual([{ id: kept.id }]);
});
