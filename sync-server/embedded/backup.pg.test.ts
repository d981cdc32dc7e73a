import fs from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { copyBackup } from '../backup/backup-folder.ts';
import { startNewTimeline } from '../db/new-timeline.ts';
import { noticeRestore } from '../db/notice-restore.ts';
import { DataDirInUse } from '../db/claim-data-dir.ts';
import { openDatabase } from '../db/open-database.ts';
import { openPglite } from '../db/open-pglite.ts';
import { readSafety } from '../ops/health/safety.ts';
import { createSqlStore } from '../store/sql-store.ts';
import { createExchange } from '../sync/exchange.ts';
import { openSyncHarness, post } from '../testing/sync-harness.ts';
import { copyDatabase } from '../testing/copy-database.ts';
import { databases } from '../testing/test-db.ts';
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
  const timelineOf = async (of: typeof running) =>
    (await sql<{ lineage: string }>`select lineage from sync_meta`.execute(of.sql)).rows[0]!.lineage;
  const first = await timelineOf(running);
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
  expect(await timelineOf(restored)).not.toBe(first);
  expect(await noticeRestore(restored, { warn: () => undefined })).toBe(false);
  // Since when it is not safe: what came with the backup is.
  expect(await readSafety(restored, later, 'backup')).toMatchObject({ safeSince: now, notSafe: 0 });
  await restored.close();
  expect(await filesIn(join(dataDir, 'storage/objects'))).toEqual([file]);
  expect((await filesIn(join(aside!, 'storage/objects'))).toSorted()).toEqual([file, lost].toSorted());
  const before = await openPglite({ dataDir: join(aside!, 'database') });
  expect(await timelineOf(before)).toBe(first);
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

it('a backup in which a stored photo was cut short is neither restored nor counted as a copy that was read', async () => {
  const running = await openDatabase({ dataDir });
  await running.migrate();
  const file = await keepFile(1);
  const { folder } = await takeBackup(running, dataDir, now);
  await running.close();
  const photo = join(folder, 'objects', file.slice(0, 2), file);
  await writeFile(photo, '');
  const elsewhere = join(dataDir, 'elsewhere');
  await mkdir(elsewhere);
  const said = '1 of 1 files are damaged or cut short';
  await expect(copyBackup(folder, 'embedded', elsewhere)).rejects.toThrow(said);
  await expect(restoreBackup(dataDir, folder, later)).rejects.toThrow(said);
  // A file of the system’s own beside them, and a backup of an earlier version, which has no list, hinder nothing.
  await writeFile(photo, new Uint8Array([1]));
  await writeFile(join(folder, 'objects', '.DS_Store'), 'x');
  expect(await copyBackup(folder, 'embedded', elsewhere)).toContain('elsewhere');
  await rm(join(folder, 'files.sha256'));
  await restoreBackup(dataDir, folder, later);
});

it('a restore that is killed where the database is moved aside and no other is in its place yet is finished at the next start', async () => {
  const running = await openDatabase({ dataDir });
  await running.migrate();
  const kept = await keepFile(1);
  const { folder } = await takeBackup(running, dataDir, now);
  await sql`insert into reference (id, kind, name, created_at) values ('after', 'category', 'After', now())`.execute(
    running.sql,
  );
  await keepFile(2);
  await running.close();
  const real = fs.promises.rename;
  vi.spyOn(fs.promises, 'rename').mockImplementation(async (from, to) => {
    if (String(from).endsWith('restoring/database')) throw new Error('killed');
    await real(from, to);
  });
  syncBuiltinESMExports();
  await expect(restoreBackup(dataDir, folder, later)).rejects.toThrow('killed');
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  expect(await readdir(dataDir)).not.toContain('database');
  const next = await openDatabase({ dataDir });
  const { rows } = await sql<{ id: string }>`select id from reference`.execute(next.sql);
  const { rows: begun } = await sql`select from sync_timeline join sync_meta using (lineage)`.execute(next.sql);
  await next.close();
  expect([rows, begun]).toEqual([[], [{}]]);
  expect(await filesIn(join(dataDir, 'storage/objects'))).toEqual([kept]);
});

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

    const backup = await copyDatabase(harness.db);

    // This one was decided and answered, and then undone by the restore: the server has no trace of it, and the device
    // learns so.
    await phone.sync([forgotten]);
    // This one was decided, but the answer was lost: the device still holds it.
    await harness.ask(owner, { cookie: phone.cookie, mutations: [held] });
    // The head of the old timeline is higher than that of the new one will be for a while, then lower: neither may be
    // taken for the other.
    for (let n = 0; n < 5; n += 1) await harness.ask(owner, { mutations: [post()] });
    await tablet.sync();

    const restored = await backup.open();
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
    await backup.discard();
    await harness.close();
  },
);
