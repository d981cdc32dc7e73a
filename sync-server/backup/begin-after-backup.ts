import type { Sql } from '../db/database.ts';
import { startNewTimeline, type Timeline } from '../db/new-timeline.ts';
import { recordBackup } from '../store/safe-point.ts';
import type { BackupManifest } from './backup-folder.ts';

/**
 * Begins the new timeline of a database that was filled from this backup. What is in it is safe by that backup, which
 * it was made too early to know of itself.
 */
export async function beginAfterBackup(
  sql: Sql,
  { timeline, headVersion, madeAt }: Pick<BackupManifest, 'timeline' | 'headVersion' | 'madeAt'>,
): Promise<Timeline> {
  if (timeline !== undefined) await recordBackup(sql, { timeline, version: headVersion, at: new Date(madeAt) });
  return startNewTimeline(sql);
}
