/* `npm run ops -- person --user <id or email>`: the state of one person's sync, for support. No contact details. */
import { readArguments, refuse } from '../read-arguments.mjs';
import { runCommand } from '../run-command.ts';

const use = 'npm run ops -- person --user <id or email>';

export async function run(args: string[]): Promise<void> {
  const { values } = readArguments(use, { user: { type: 'string' } }, { args });
  if (values.user === undefined) refuse(use, 'Whose? --user with an id or an email address.');
  console.log(JSON.stringify(await runCommand('person.state', { user: values.user }), undefined, 2));
}
