/*
 * `npm run ops -- <what>`: the operator's commands, each of which says with `--help` how it is called. What they are
 * for: docs/operate.md.
 */
import { refuse } from './read-arguments.mjs';

const commands = {
  doctor: {
    says: 'look at everything the environment configures, and name what is missing',
    load: () => import('./ops/doctor.ts'),
  },
  backup: {
    says: 'copy the database and the files beside it, also while servers run',
    load: () => import('./ops/backup.ts'),
  },
  restore: { says: 'put a backup in the place of the database', load: () => import('./ops/restore.ts') },
  restored: { says: 'say that the database was set back by other means', load: () => import('./ops/restored.ts') },
  safety: {
    says: 'what is not safe yet, and what came back after a restore',
    load: () => import('./ops/safety.ts'),
  },
  parked: {
    says: 'list, read, replay or discard changes that failed again and again',
    load: () => import('./ops/parked.ts'),
  },
  person: { says: 'show how the sync of one person stands', load: () => import('./ops/person.ts') },
  export: { says: 'write everything held of one person into a file', load: () => import('./ops/export.ts') },
  retention: { says: 'forget what is past its days', load: () => import('./ops/retention.ts') },
  reconcile: { says: 'compare every subscription with the payment provider', load: () => import('./ops/reconcile.ts') },
} as const;

const isCommand = (name: string): name is keyof typeof commands => Object.hasOwn(commands, name);

const use = `npm run ops -- <what>\n\n${Object.entries(commands)
  .map(([name, { says }]) => `  ${name.padEnd(9)}  ${says}`)
  .join('\n')}`;
const [name = '--help', ...args] = process.argv.slice(2);
if (name === '--help' || name === '-h') console.log(use);
else if (isCommand(name)) await (await commands[name].load()).run(args);
else refuse(use, name.startsWith('-') ? `Unknown option '${name}'.` : `There is no “${name}”.`);
