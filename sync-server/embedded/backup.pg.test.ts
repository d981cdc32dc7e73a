import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sql } from 'kysely';
import { startNewTimeline } from '../db/new-timeline.ts';
import type { Database } from '../db/database.ts';
import { DataDirInUse } from '../db/claim-data-dir.ts';
import { openDatabase } from '../db/open-database.ts';
import { openPglite } from '../db/open-pglite.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { createExchange } from '../sync/exchange.ts';
import { openSyncHarness, post } from '../testing/sync-harness.ts';
import { cloneTemplate } from '../testing/test-postgres.ts';
import { databases, type TestDatabase } from '../testing/test-db.ts';
import { restoreBackup, takeBackup } from './backup.ts';
import { createFileStore } from './storage/file-store.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'dwang-backup-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const now = new Date('2026-11-21T03:04:05.678Z');
const later = new Date('2026-11-22T03:04:05.678Z');

/** Puts a file into the embedded storage; returns its version. */
async function keepFile(byte: number): Promise<string> {
  const files = await createFileStore(join(dataDir, 'storage'));
  const draft = await files.receive(
    (async function* () {
      yield new Uint8Array([byte]);
    })(),
    10,
  );
  await draft.keep();
  return draft.version;
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

it('a backup of running embedded data is restored as it was, with its files, a new timeline, and the previous data moved aside', async () => {
  const running = await openDatabase({ dataDir });
  await running.migrate();
  const file = await keepFile(1);
  await sql`insert into reference (id, kind, name, created_at) values ('before', 'category', 'Before', now())`.execute(
    running.sql,
  );
  const lineage = async (of: typeof running) =>
    (await sql<{ lineage: string }>`select lineage from sync_meta`.execute(of.sql)).rows[0]!.lineage;
  const first = await lineage(running);
  const { folder } = await takeBackup(running, dataDir, now);
  await sql`insert into reference (id, kind, name, created_at) values ('after', 'category', 'After', now())`.execute(
    running.sql,
  );
  const lost = await keepFile(2);
  await expect(restoreBackup(dataDir, folder, later)).rejects.toThrow(DataDirInUse);
  await running.close();

  const { aside, manifest } = await restoreBackup(dataDir, folder, later);
  expect(manifest).toMatchObject({ madeAt: now.toISOString(), files: 1 });
  const restored = await openDatabase({ dataDir });
  expect((await sql<{ id: string }>`select id from reference`.execute(restored.sql)).rows).toEqual([{ id: 'before' }]);
  expect(await lineage(restored)).not.toBe(first);
  await restored.close();
  expect(await filesIn(join(dataDir, 'storage/objects'))).toEqual([file]);
  expect((await filesIn(join(aside!, 'storage/objects'))).toSorted()).toEqual([file, lost].toSorted());
  const before = await openPglite({ dataDir: join(aside!, 'database') });
  expect(await lineage(before)).toBe(first);
  await before.close();
});

it('a backup that is not whole is rejected, and nothing is changed', async () => {
  const running = await openDatabase({ dataDir });
  await running.migrate();
  const file = await keepFile(1);
  const { folder } = await takeBackup(running, dataDir, now);
  await running.close();
  await expect(restoreBackup(dataDir, join(dataDir, 'nowhere'), later)).rejects.toThrow('There is no backup');
  await rm(join(folder, 'objects', file.slice(0, 2), file));
  await expect(restoreBackup(dataDir, folder, later)).rejects.toThrow('1 of 1 files are missing');
  await writeFile(join(folder, 'objects', file.slice(0, 2), file), '');
  await appendFile(join(folder, 'database.tar'), 'x');
  await expect(restoreBackup(dataDir, folder, later)).rejects.toThrow('damaged');
  expect((await readdir(dataDir)).toSorted()).toEqual(['backups', 'database', 'storage']);
});

/** The database as it is now, kept as a backup would keep it; returns the function that opens it again. */
async function copyOf(db: TestDatabase): Promise<() => Promise<Database>> {
  if (db.url === undefined) {
    const dump = await db.dump!();
    return () => openPglite({ template: dump });
  }
  // PostgreSQL copies a database that no other client is connected to: the pool's other connections are idle, and are made again.
  const admin = await openPostgres({ url: db.url.replace(/\/[^/]*$/, '/postgres') });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${db.url.split('/').at(-1)}`.execute(
    admin.sql,
  );
  await admin.close();
  const clone = await cloneTemplate(db.url);
  return async () => {
    const database = await openPostgres({ url: clone.url });
    return {
      ...database,
      close: async () => {
        await database.close();
        await clone.drop();
      },
    };
  };
}

it.each(databases)(
  '[S5][I1][I3][I4] on %s: after a restore devices are reset, nothing they still hold is lost or doubled, and all converge',
  async (kind) => {
    const harness = await openSyncHarness(kind);
    const owner = await harness.homeowner();
    const [phone, tablet] = [harness.device(owner), harness.device(owner)];
    const [kept, forgotten, held] = [
      post({ title: 'Before the backup' }),
      post({ title: 'After the backup' }),
      post({ title: 'Still on the phone' }),
    ];
    await phone.sync([kept]);
    await tablet.sync();

    const openBackup = await copyOf(harness.db);

    // Decided and answered, and then undone by the restore: the server has no trace of it, and the device learns so.
    await phone.sync([forgotten]);
    // Decided, but the answer was lost: the device still holds it.
    await harness.ask(owner, { cookie: phone.cookie, mutations: [held] });
    // The head of the old timeline is higher than that of the new one will be for a while, then lower: neither may be taken for the other.
    for (let n = 0; n < 5; n += 1) await harness.ask(owner, { mutations: [post()] });
    await tablet.sync();

    const restored = await openBackup();
    await startNewTimeline(restored.sql);
    const exchange = createExchange({ ...harness.parts, store: createSqlStore(restored) });
    const [phoneAgain, tabletAgain] = [harness.device(owner, exchange), harness.device(owner, exchange)];
    phoneAgain.cookie = phone.cookie;
    tabletAgain.cookie = tablet.cookie;
    for (const [from, to] of [
      [phone, phoneAgain],
      [tablet, tabletAgain],
    ] as const)
      for (const [table, rows] of from.rows) for (const [id, row] of rows) to.rows.get(table)!.set(id, row);

    await phoneAgain.sync([held]);
    await phoneAgain.sync([held]);
    await tabletAgain.sync();
    const titles = (device: typeof phone) =>
      [...device.rows.get('jobs')!.values()].map(({ title }) => String(title)).toSorted();
    expect(phoneAgain.answers[0]).toEqual({ kind: 'reset', reason: 'lineage' });
    expect(phoneAgain.outcomes.get(held.uid)).toMatchObject({ status: 'applied' });
    expect(titles(phoneAgain)).toEqual(['Before the backup', 'Still on the phone']);
    expect(titles(tabletAgain)).toEqual(titles(phoneAgain));
    const { rows } = await sql<{ title: string }>`select title from jobs order by title`.execute(restored.sql);
    expect(rows.map(({ title }) => title)).toEqual(titles(phoneAgain));
    await restored.close();
    await harness.close();
  },
);
