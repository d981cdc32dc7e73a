import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beginAfterBackup } from '../backup/begin-after-backup.ts';
import {
  BackupProblem,
  copyFiles,
  readBackup,
  writeBackup,
  type BackupManifest,
  type Restored,
} from '../backup/backup-folder.ts';
import { claimDataDir } from '../db/claim-data-dir.ts';
import type { Database } from '../db/database.ts';
import { finishRestore, replaceData, restoreDraft } from '../db/finish-restore.ts';
import type { Timeline } from '../db/new-timeline.ts';
import { openPglite } from '../db/open-pglite.ts';
import { objectsFolder } from './storage/file-store.ts';

/** Copies the embedded database and the stored files into `DATA_DIR/backups/<instant>`, while the server goes on. */
export function takeBackup(
  database: Database,
  dataDir: string,
  now: Date,
): Promise<{ folder: string } & BackupManifest> {
  const { dump } = database;
  if (dump === undefined) throw new BackupProblem('The database is not the embedded one.');
  const writeDatabase = async (file: string) => writeFile(file, (await dump()).stream(), { mode: 0o600 });
  return writeBackup({
    kind: 'embedded',
    sql: database.sql,
    dataDir,
    objects: objectsFolder(dataDir),
    now,
    writeDatabase,
  });
}

/**
 * Replaces the content of the data directory by a backup, and begins a new timeline. What was there before is moved
 * aside, not deleted. Broken off while it moves them, it is finished at the next start, or by the next restore; before
 * that it has changed nothing.
 *
 * @throws DataDirInUse while a server runs on the directory; BackupProblem where the backup is not whole, and nothing
 * was changed then.
 */
export async function restoreBackup(dataDir: string, folder: string, now: Date): Promise<Restored> {
  const release = await claimDataDir(dataDir);
  try {
    const { manifest, database: file, objects } = await readBackup(folder, 'embedded');
    // A restore that was broken off before moved some files aside; they stay where they are.
    await finishRestore(dataDir);
    const draft = restoreDraft(dataDir);
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true, mode: 0o700 });
    const database = await openPglite({
      dataDir: join(draft, 'database'),
      template: new Blob([new Uint8Array(await readFile(file))]),
    });
    let timeline: Timeline;
    try {
      // The backup may be older than this version.
      await database.migrate();
      timeline = await beginAfterBackup(database.sql, manifest);
    } finally {
      await database.close();
    }
    await copyFiles(objects, objectsFolder(draft));
    const aside = `before-restore-${now.toISOString().replaceAll(':', '-')}`;
    await replaceData(dataDir, aside);
    return { manifest, timeline, aside: existsSync(join(dataDir, aside)) ? join(dataDir, aside) : undefined };
  } finally {
    await release();
  }
}
