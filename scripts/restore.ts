/*
 * `npm run restore -- --from <folder>`: puts a backup in the place of the embedded data. The server must be stopped. What was there is
 * moved aside.
 */
import { parseArgs } from 'node:util';
import { readConfig } from '../sync-server/config.ts';
import { restoreBackup } from '../sync-server/embedded/backup.ts';

const { values } = parseArgs({ options: { from: { type: 'string' } } });
if (values.from === undefined) {
  console.error('From where? --from with the folder of a backup.');
  process.exit(2);
}
try {
  const { manifest, aside } = await restoreBackup(readConfig(process.env).dataDir, values.from, new Date());
  console.log(`Restored what was there on ${manifest.madeAt}.${aside === undefined ? '' : ` What was there until now is in ${aside}.`}\nStart the server: every device will begin anew by itself, and send what it still holds.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
