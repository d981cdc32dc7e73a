import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import type { Sql } from '../db/database.ts';
import type { Timeline } from '../db/new-timeline.ts';

const manifestSchema = z.object({
  /** Of what kind of database it is; those of the first version do not say. */
  kind: z.enum(['embedded', 'postgres']).default('embedded'),
  madeAt: z.iso.datetime(),
  headVersion: z.string(),
  /** Of which timeline that version is; earlier backups do not say. */
  timeline: z.optional(z.string()),
  databaseBytes: z.int(),
  databaseSha256: z.string(),
  files: z.int(),
});

export type BackupManifest = z.output<typeof manifestSchema>;

export interface Restored {
  manifest: BackupManifest;
  timeline: Timeline;
  /** Where what was there before went; undefined where there was nothing. */
  aside: string | undefined;
}

/** Why a backup cannot be made or used, in words. */
export class BackupProblem extends Error {
  override name = 'BackupProblem';
}

/** The database's file within the folder of a backup. */
const databaseFile = { embedded: 'database.tar', postgres: 'database.dump' } as const;

/** A line for each stored file, as `sha256sum -c` reads it within `objects`; backups of earlier versions have none. */
const listOfFiles = 'files.sha256';

const unfinished = '.unfinished';

interface TakeParts {
  kind: BackupManifest['kind'];
  sql: Sql;
  dataDir: string;
  /** The folder of the stored files; undefined where storage is hosted. */
  objects: string | undefined;
  now: Date;
  /** Writes the database, as of one instant, to this file. */
  writeDatabase(file: string): Promise<void>;
}

/**
 * Copies a database and the stored files into `DATA_DIR/backups/<instant>`, while servers go on. The database is of one
 * instant; a file never changes once it is there, so those it names are gathered before and after. The folder has its
 * name only once it is whole.
 */
export async function writeBackup({
  kind,
  sql,
  dataDir,
  objects,
  now,
  writeDatabase,
}: TakeParts): Promise<{ folder: string } & BackupManifest> {
  const folder = join(dataDir, 'backups', now.toISOString().replaceAll(':', '-'));
  const draft = `${folder}${unfinished}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  const copies = join(draft, 'objects');
  await copyFiles(objects, copies);
  const meta = await sql
    .selectFrom('sync_meta')
    .select(({ fn, selectFrom }) => [
      'lineage',
      fn<string>('greatest', [
        'tombstone_floor',
        selectFrom('sync_change').select((change) => change.fn.max('version').as('head')),
      ]).as('head'),
    ])
    .executeTakeFirst();
  const database = join(draft, databaseFile[kind]);
  await writeDatabase(database);
  await copyFiles(objects, copies);
  await listFiles(copies, join(draft, listOfFiles));
  const databaseBytes = (await stat(database)).size;
  const manifest: BackupManifest = {
    kind,
    madeAt: now.toISOString(),
    headVersion: meta?.head ?? '0',
    timeline: meta?.lineage,
    databaseBytes,
    databaseSha256: await sha256(database),
    files: await countFiles(copies),
  };
  await writeFile(join(draft, 'backup.json'), `${JSON.stringify(manifest, undefined, 2)}\n`, { mode: 0o600 });
  await rename(draft, folder);
  return { folder, ...manifest };
}

/** What a backup says of itself. @throws BackupProblem where there is none. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const text = await readFile(join(folder, 'backup.json'), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new BackupProblem(`There is no backup in ${folder}.`);
    throw error;
  });
  return manifestSchema.parse(JSON.parse(text));
}

/**
 * Reads and checks a backup of that kind.
 *
 * @throws BackupProblem where it is of the other kind, damaged or not whole.
 */
export async function readBackup(
  folder: string,
  kind: BackupManifest['kind'],
): Promise<{ manifest: BackupManifest; database: string; objects: string }> {
  const manifest = await readManifest(folder);
  if (manifest.kind !== kind)
    throw new BackupProblem(
      manifest.kind === 'embedded'
        ? 'This is a backup of embedded data, and DATABASE_URL names a PostgreSQL.'
        : 'This is a backup of a PostgreSQL: DATABASE_URL must name the one to restore.',
    );
  const [database, objects] = [join(folder, databaseFile[kind]), join(folder, 'objects')];
  if ((await sha256(database)) !== manifest.databaseSha256)
    throw new BackupProblem(`${databaseFile[kind]} is not what was backed up: it is damaged or cut short.`);
  const files = await countFiles(objects);
  if (files < manifest.files)
    throw new BackupProblem(`${manifest.files - files} of ${manifest.files} files are missing.`);
  const damaged = await damagedFiles(objects, join(folder, listOfFiles));
  if (damaged > 0) throw new BackupProblem(`${damaged} of ${manifest.files} files are damaged or cut short.`);
  return { manifest, database, objects };
}

/**
 * Copies a finished backup into another folder, and reads the copy. It has its name there only once it is whole.
 *
 * @returns its path.
 * @throws BackupProblem where the copy is not what was backed up.
 */
export async function copyBackup(folder: string, kind: BackupManifest['kind'], elsewhere: string): Promise<string> {
  const copy = join(elsewhere, basename(folder));
  const draft = `${copy}${unfinished}`;
  await cp(folder, draft, { recursive: true });
  await readBackup(draft, kind);
  await rename(draft, copy);
  return copy;
}

/**
 * Copies stored files that are not there yet. What is there already is there whole: files are written elsewhere and
 * renamed into place.
 */
export async function copyFiles(from: string | undefined, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  if (from === undefined || !(await exists(from))) return;
  // A file that is removed while it is copied is referenced by no row any more.
  for (const { parentPath, name } of (await readdir(from, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.name.endsWith(unfinished),
  )) {
    const target = join(to, name.slice(0, 2), name);
    await mkdir(join(to, name.slice(0, 2)), { recursive: true, mode: 0o700 });
    if (await exists(target)) continue;
    const draft = join(to, `${name}${unfinished}`);
    const isThere = await cp(join(parentPath, name), draft).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return false;
      },
    );
    if (isThere) await rename(draft, target);
  }
}

async function listFiles(folder: string, list: string): Promise<void> {
  const lines: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    lines.push(`${await sha256(file)}  ${relative(folder, file).replaceAll(sep, '/')}\n`);
  }
  await writeFile(list, lines.join(''), { mode: 0o600 });
}

async function damagedFiles(folder: string, list: string): Promise<number> {
  if (!(await exists(list))) return 0;
  const lines = (await readFile(list, 'utf8')).split('\n').filter((line) => line !== '');
  let damaged = 0;
  for (const line of lines) {
    const [digest, file] = line.split('  ', 2) as [string, string];
    const is = await sha256(join(folder, file)).catch((error: NodeJS.ErrnoException) => error.code);
    if (is !== digest) damaged += 1;
  }
  return damaged;
}

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function countFiles(folder: string): Promise<number> {
  return (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
}

export const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );
