/*
 * `npm run freeze-phones`: puts the phones of this version beside those of every version shipped before
 * (docs/old-phones.md).
 */
import 'fake-indexeddb/auto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freezePhones } from '../app/testing/freeze-phones.ts';
import { root } from './installed.mjs';
import { readArguments } from './read-arguments.mjs';

readArguments('npm run freeze-phones');

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const file = join(root, 'app/db/old-phones', `${version}.json`);
if (existsSync(file)) {
  console.log(`${file} is there already. What was shipped does not change: raise "version" in package.json first.`);
  process.exit(1);
}
writeFileSync(file, `${JSON.stringify(await freezePhones(version, new Date().toISOString()), null, 1)}\n`);
console.log(`Frozen: ${file}`);
