import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql as rawSql } from 'kysely';
import * as z from 'zod';
import { claimDataDir } from '../db/claim-data-dir.ts';
import type { Database } from '../db/database.ts';
import { beginNewLineage } from '../db/new-lineage.ts';
import { openPglite } from '../db/open-pglite.ts';
import { storageFolder } from './storage/file-store.ts';

const manifestSchema = z.object({ madeAt: z.iso.datetime(), headVersion: z.string(), databaseBytes: z.int(), databaseSha256: z.string(), files: z.int() });

export type BackupManifest = z.output<typeof manifestSchema>;

/** Why a backup cannot be used, in words. */
export class BackupProblem extends Error {
  override name = 'BackupProblem';
}

const objects = (dataDir: string) => join(storageFolder(dataDir), 'objects');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/**
 * Copies the embedded database and the stored files into `DATA_DIR/backups/<instant>`, while the server goes on. The database is of
 * one instant; a file never changes once it is there, so those it names are gathered before and after.
 */
export async function takeBackup(database: Database, dataDir: string, now: Date): Promise<{ folder: string } & BackupManifest> {
  if (database.dump === undefined) throw new BackupProblem('The database is not the embedded one: back it up with PostgreSQL’s own tools (docs/backup.md).');
  const folder = join(dataDir, 'backups', now.toISOString().replaceAll(':', '-'));
  // Not there under its own name before it is whole.
  const draft = `${folder}.unfinished`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await copyFiles(objects(dataDir), join(draft, 'objects'));
  const { rows } = await rawSql<{ head: string }>`select greatest(tombstone_floor, (select max(version) from sync_change)) as head from sync_meta`.execute(database.sql);
  const dump = new Uint8Array(await (await database.dump()).arrayBuffer());
  await copyFiles(objects(dataDir), join(draft, 'objects'));
  await writeFile(join(draft, 'database.tar'), dump, { mode: 0o600 });
  const manifest: BackupManifest = { madeAt: now.toISOString(), headVersion: rows[0]?.head ?? '0', databaseBytes: dump.length, databaseSha256: sha256(dump), files: await countFiles(join(draft, 'objects')) };
  await writeFile(join(draft, 'backup.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  await rename(draft, folder);
  return { folder, ...manifest };
}

/**
 * Puts a backup in the place of what is in the data directory, and begins a new lineage. What was there before is moved aside, not
 * thrown away.
 *
 * @returns where it went; undefined where there was nothing.
 * @throws DataDirInUse while a server runs on the directory; BackupProblem where the backup is not whole, and nothing was changed then.
 */
export async function restoreBackup(dataDir: string, folder: string, now: Date): Promise<{ manifest: BackupManifest; aside: string | undefined }> {
  const letGo = await claimDataDir(dataDir);
  try {
    const { manifest, bytes } = await readBackup(folder);
    const draft = join(dataDir, 'restoring');
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    const database = await openPglite({ dataDir: join(draft, 'database'), template: new Blob([bytes]) });
    try {
      await beginNewLineage(database.sql);
    } finally {
      await database.close();
    }
    await mkdir(join(draft, 'storage'));
    await copyFiles(join(folder, 'objects'), join(draft, 'storage', 'objects'));
    const aside = join(dataDir, `before-restore-${now.toISOString().replaceAll(':', '-')}`);
    let isAnythingAside = false;
    for (const part of ['database', 'storage']) {
      if (!(await exists(join(dataDir, part)))) continue;
      await mkdir(aside, { recursive: true });
      await rename(join(dataDir, part), join(aside, part));
      isAnythingAside = true;
    }
    for (const part of ['database', 'storage']) await rename(join(draft, part), join(dataDir, part));
    await rm(draft, { recursive: true, force: true });
    return { manifest, aside: isAnythingAside ? aside : undefined };
  } finally {
    await letGo();
  }
}

async function readBackup(folder: string): Promise<{ manifest: BackupManifest; bytes: Uint8Array<ArrayBuffer> }> {
  const text = await readFile(join(folder, 'backup.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new BackupProblem(`There is no backup in ${folder}.`);
    throw error;
  });
  const manifest = manifestSchema.parse(JSON.parse(text));
  const bytes = new Uint8Array(await readFile(join(folder, 'database.tar')));
  if (sha256(bytes) !== manifest.databaseSha256) throw new BackupProblem('database.tar is not what was backed up: it is damaged or cut short.');
  const files = await countFiles(join(folder, 'objects'));
  if (files < manifest.files) throw new BackupProblem(`${manifest.files - files} of ${manifest.files} files are missing.`);
  return { manifest, bytes };
}

/** What is there already is there whole: files are written elsewhere and renamed into place. */
async function copyFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  if (!(await exists(from))) return;
  // One that is removed while it is copied is named by nothing any more.
  for (const { parentPath, name } of (await readdir(from, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())) {
    const target = join(to, name.slice(0, 2), name);
    await mkdir(join(to, name.slice(0, 2)), { recursive: true });
    await cp(join(parentPath, name), target, { force: false, errorOnExist: false }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

async function countFiles(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
}

const exists = (path: string) => stat(path).then(() => true, () => false);
