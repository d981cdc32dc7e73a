/*
 * `npm run ops -- restored`: begins a new timeline after the configured database was restored to an earlier state by
 * other means than
 * `npm run ops -- restore`. Only after those have succeeded, and before a server starts on it. `--known`: up to which
 * version it has what was there before, where it was written to since the restore; its head unless it is given.
 * `--apart`: this is a copy that is used beside the original from now on.
 */
import { randomUUID } from 'node:crypto';
import { startTimelineApart, startNewTimeline } from '../../sync-server/db/new-timeline.ts';
import { createLog } from '../../sync-server/lib/log.ts';
import { audit } from '../../sync-server/ops/operate/audit.ts';
import { readArguments, refuse } from '../read-arguments.mjs';
import { sayTimeline } from '../say-timeline.ts';
import { withDatabase } from '../run-command.ts';

const use = 'npm run ops -- restored [--known <version>] [--apart]';

export async function run(args: string[]): Promise<void> {
  const {
    values: { known, apart },
  } = readArguments(use, { known: { type: 'string' }, apart: { type: 'boolean' } }, { args });
  if (known !== undefined && !/^\d{1,18}$/.test(known))
    refuse(use, 'Up to which version? --known with a whole number.');
  await withDatabase(
    async (database) => {
      // The backup may be older than this version.
      await database.migrate();
      const timeline = await database.transaction(async (sql) => {
        const begun = await (apart ? startTimelineApart : startNewTimeline)(sql, known);
        await audit(sql, createLog('silent'), new Date(), {
          action: 'data.restored',
          requestId: `command-${randomUUID()}`,
          result: 'done',
        });
        return begun;
      });
      console.log(sayTimeline(timeline));
    },
    { mayBeSuperseded: true },
  );
}
