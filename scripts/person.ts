/* `npm run person -- --user <id or email>`: how one person's sync stands, for support. No contact details. */
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';

const { values } = parseArgs({ options: { user: { type: 'string' } } });
console.log(JSON.stringify(await runCommand('person.state', { user: values.user }), undefined, 2));
