/*
 * `npm run restored`: says that the configured database was set back to an earlier state, by other means than `npm run restore`. Only after
 * those have succeeded, and before a server starts on it.
 */
import { randomUUID } from 'node:crypto';
import { readConfig } from '../sync-server/config.ts';
import { beginNewLineage } from '../sync-server/db/new-lineage.ts';
import { openDatabase } from '../sync-server/db/open-database.ts';
import { openLog } from '../sync-server/log.ts';
import { audit } from '../sync-server/operate/audit.ts';

const config = readConfig(process.env);
const database = await openDatabase(config);
try {
  // The backup may be older than this version.
  await database.migrate();
  await database.transaction(async (sql) => {
    const lineage = await beginNewLineage(sql);
    await audit(sql, openLog('silent'), new Date(), { action: 'data.restored', requestId: `command-${randomUUID()}`, result: 'done' });
    console.log(`A new life of the database begins: lineage ${lineage}. Every device will begin anew by itself, and send what it still holds.`);
  });
} finally {
  await database.close();
}
