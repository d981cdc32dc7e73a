/*
 * `npm run ops -- export --user <id or email> [--to file.json]`: all personal data of one person, for a request under
 * the Privacy Act 2020.
 */
import { writeFile } from 'node:fs/promises';
import { readArguments, refuse } from '../read-arguments.mjs';
import { runCommand } from '../run-command.ts';

const use = 'npm run ops -- export --user <id or email> [--to <file.json>]';

export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(use, { user: { type: 'string' }, to: { type: 'string' } }, { args });
  if (values.user === undefined) refuse(use, 'Whose? --user with an id or an email address.');
  const held = (await runCommand('person.export', { user: values.user })) as { person: { id: string } };
  const file = values.to ?? `export-${held.person.id}.json`;
  try {
    // The file is for its reader's eyes only, and never replaces one that is there.
    await writeFile(file, `${JSON.stringify(held, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
    console.log(`Written to ${file}.`);
  } catch (error) {
    console.error(
      `Nothing was written: ${error instanceof Error ? error.message : String(error)}. Say where with --to.`,
    );
    process.exitCode = 1;
  }
}
