/*
 * `npm run ops -- parked list [--user <id>]`, `read|replay|discard --user <id> --uid <uid>`: dead letters, mutations
 * that kept failing for an unknown reason. What to do with them: docs/operate.md.
 */
import { readArguments, refuse } from '../read-arguments.mjs';
import { runCommand } from '../run-command.ts';

const use = `npm run ops -- parked [list [--user <id>]]
npm run ops -- parked read|replay|discard --user <id> --uid <uid>`;

export async function run(args: string[]): Promise<void> {
  const {
    positionals: [verb = 'list', ...more],
    values,
  } = readArguments(use, { user: { type: 'string' }, uid: { type: 'string' } }, { args, allowPositionals: true });
  const verbs = ['list', 'read', 'replay', 'discard'] as const;
  const known = verbs.find((one) => one === verb);
  if (known === undefined || more.length > 0) refuse(use, `One of ${verbs.join(', ')}, please.`);
  if (known !== 'list' && (values.user === undefined || values.uid === undefined))
    refuse(use, `${known} which one? --user and --uid, as \`list\` shows them.`);
  const found = await runCommand(
    `parked.${known}`,
    known === 'list' ? { userId: values.user } : { userId: values.user, uid: values.uid },
  );
  if (Array.isArray(found)) {
    const open = found.filter(
      (one: { replayedAt: unknown; discardedAt: unknown }) => one.replayedAt === null && one.discardedAt === null,
    );
    for (const { userId, uid, name, parkedAt, error } of open as Record<string, string>[])
      console.log(`${parkedAt}  ${name}  --user ${userId} --uid ${uid}\n    ${error}`);
    console.log(open.length === 0 ? 'Nothing waits.' : `${open.length} ${open.length === 1 ? 'waits' : 'wait'}.`);
  } else {
    console.log(JSON.stringify(found, undefined, 2));
  }
}
