import { randomUUID } from 'node:crypto';
import { Client, escapeIdentifier } from 'pg';
import type { Database } from '../db/database.ts';
import type { Timeline } from '../db/new-timeline.ts';
import { openPostgres } from '../db/open-postgres.ts';
import { createLog } from '../lib/log.ts';
import { audit } from '../ops/operate/audit.ts';
import { beginAfterBackup } from './begin-after-backup.ts';
import {
  BackupProblem,
  copyFiles,
  readBackup,
  writeBackup,
  type BackupManifest,
  type Restored,
} from './backup-folder.ts';
import { mustHoldWhatIsSafe } from './must-hold-what-is-safe.ts';
import { runTool } from './postgres-tools.ts';

interface PostgresPlace {
  url: string;
  dataDir: string;
  /** The folder of the stored files; undefined where storage is hosted. */
  objects: string | undefined;
}

/** Backs a PostgreSQL up by `pg_dump`, with the stored files. @throws BackupProblem */
export function takePostgresBackup(
  database: Database,
  { url, dataDir, objects }: PostgresPlace,
  now: Date,
): Promise<{ folder: string } & BackupManifest> {
  const writeDatabase = (file: string) => runTool('pg_dump', url, ['--format=custom', `--file=${file}`]);
  return writeBackup({ kind: 'postgres', sql: database.sql, dataDir, objects, now, writeDatabase });
}

interface RestoreParts extends Omit<PostgresPlace, 'dataDir'> {
  /** A database on the same server from which others are made and renamed. */
  adminUrl: string;
  folder: string;
  /** Also where phones were told that something is safe which the backup lacks, and keep it no more. */
  mayLose: boolean;
  now: Date;
}

/**
 * Replaces the database that `url` names by a backup. It is restored beside it, in one transaction, migrated to this
 * version and given a new timeline; only then the two swap names, in one transaction too. Stored files are added, none
 * is deleted.
 *
 * @throws BackupProblem at the first error: the database and its timeline are then unchanged.
 */
export async function restorePostgres({
  url,
  adminUrl,
  objects,
  folder,
  mayLose,
  now,
}: RestoreParts): Promise<Restored> {
  const backup = await readBackup(folder, 'postgres');
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  try {
    const wasThere = await mustBeUnused(admin, name);
    if (wasThere && !mayLose) await mustHoldWhatIsSafe(url, backup.manifest);
    const stamp = now.toISOString().replace(/\D/g, '');
    const named = (what: string, at = stamp) => `${name.slice(0, 30)}_${what}_${at}`;
    const [fresh, aside] = [named('restoring'), named('before')];
    await dropUnfinished(admin, named);
    await admin.query(`create database ${escapeIdentifier(fresh)}`);
    let timeline: Timeline;
    try {
      timeline = await fill(at(url, fresh), backup);
      if (objects !== undefined) await copyFiles(backup.objects, objects);
      await changeNames(admin, { name, fresh, aside: wasThere ? aside : undefined });
    } catch (error) {
      // Whatever is connected to it still must not hide why it is of no use.
      await admin.query(`drop database if exists ${escapeIdentifier(fresh)} with (force)`);
      throw error;
    }
    return { manifest: backup.manifest, timeline, aside: wasThere ? aside : undefined };
  } finally {
    await admin.end();
  }
}

function at(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(database)}`;
  return other.href;
}

async function fill(
  url: string,
  { database: dump, manifest }: { database: string; manifest: BackupManifest },
): Promise<Timeline> {
  await runTool('pg_restore', url, ['--no-owner', '--exit-on-error', '--single-transaction', dump]);
  const database = await openPostgres({ url });
  try {
    // The backup may be older than this version.
    await database.migrate();
    return await database.transaction(async (sql) => {
      const begun = await beginAfterBackup(sql, manifest);
      await audit(sql, createLog('silent'), new Date(), {
        action: 'data.restored',
        requestId: `command-${randomUUID()}`,
        result: 'done',
      });
      return begun;
    });
  } finally {
    await database.close();
  }
}

/** Whether the database is there at all. @throws BackupProblem while any client is connected to it. */
async function mustBeUnused(admin: Client, name: string): Promise<boolean> {
  const { rows } = await admin.query<{ users: number }>(
    `select (select count(*)::int from pg_stat_activity a where a.datname = d.datname
    and a.pid <> pg_backend_pid() and coalesce(a.backend_type, 'client backend') = 'client backend') as users from pg_database d where d.datname = $1`,
    [name],
  );
  const users = rows[0]?.users ?? 0;
  if (users > 0)
    throw new BackupProblem(
      `The database ${name} is in use, by ${users} connection${users === 1 ? '' : 's'}: stop every server first. Nothing was changed.`,
    );
  return rows.length > 0;
}

/** What a restore that was killed has left: a whole copy of people's data, which nothing leads to. */
async function dropUnfinished(admin: Client, named: (what: string, stamp: string) => string): Promise<void> {
  const { rows } = await admin.query<{ datname: string }>(
    `select datname from pg_database d where starts_with(datname, $1) and substr(datname, length($1) + 1) ~ '^[0-9]{17}$'
    and not exists (select from pg_stat_activity a where a.datname = d.datname)`,
    [named('restoring', '')],
  );
  for (const { datname } of rows) await admin.query(`drop database ${escapeIdentifier(datname)}`);
}

async function changeNames(
  admin: Client,
  { name, fresh, aside }: { name: string; fresh: string; aside: string | undefined },
): Promise<void> {
  const rename = (from: string, to: string) =>
    admin.query(`alter database ${escapeIdentifier(from)} rename to ${escapeIdentifier(to)}`);
  await admin.query('begin');
  try {
    if (aside !== undefined) await rename(name, aside);
    await rename(fresh, name);
    await admin.query('commit');
  } catch (error) {
    await admin.query('rollback');
    throw new BackupProblem(
      `The restored database could not take the place of ${name}: ${error instanceof Error ? error.message : String(error)}. Nothing was changed.`,
      { cause: error },
    );
  }
}
