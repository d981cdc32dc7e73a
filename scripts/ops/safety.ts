/*
 * `npm run ops -- safety`: how much would be lost with the database but for the phones, since when, and what they
 * brought back after the last restore. As JSON, as the health page shows it.
 */
import { readArguments } from '../read-arguments.mjs';
import { runCommand } from '../run-command.ts';

export async function run(args: string[]): Promise<void> {
  readArguments('npm run ops -- safety', {}, { args });
  console.log(JSON.stringify(await runCommand('safety.read', {}), undefined, 2));
}
