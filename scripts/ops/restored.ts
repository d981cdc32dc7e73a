/*
 * `npm run ops -- restored`: begins a new timeline after the configured database was restored to an earlier state by other means than
 * `npm run ops -- restore`. Only after those have succeeded, and before a server starts on it.
 */
import { randomUUID } from 'node:crypto';
import { startNewTimeline } from '../../sync-server/db/new-timeline.ts';
import { createLog } from '../../sync-server/lib/log.ts';
import { audit } from '../../sync-server/ops/operate/audit.ts';
import { readArguments } from '../read-arguments.mjs';
import { withDatabase } from '../run-command.ts';

export async function run(args: string[]): Promise<void> {
  readArguments('npm run ops -- restored', {}, { args });
  await withDatabase(async (database) => {
    // The backup may be older than this version.
    await database.migrate();
    const lineage = await database.transaction(async (sql) => {
      const begun = await startNewTimeline(sql);
      await audit(sql, createLog('silent'), new Date(), {
        action: 'data.restored',
        requestId: `command-${randomUUID()}`,
        result: 'done',
      });
      return begun;
    });
    console.log(
      `A new life of the database begins: lineage ${lineage}. Every device will begin anew by itself, and send what it still holds.`,
    );
  });
}
