import { accessSync, constants, globSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

const programs = ['postgres', 'initdb', 'pg_dump', 'pg_restore'];
const usual = [
  '/usr/lib/postgresql/*/bin',
  '/usr/pgsql-*/bin',
  '/opt/homebrew/opt/postgresql*/bin',
  '/usr/local/opt/postgresql*/bin',
];

/**
 * Where this machine has a PostgreSQL with its client programs, which the npm package lacks; undefined where there is
 * none.
 */
export function postgresWithTools(): { native: string; bin: string } | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...usual.flatMap((pattern) => globSync(pattern).toSorted().toReversed()),
  ];
  const bin = folders.find((folder) => programs.every((program) => isExecutable(join(folder, program))));
  return bin === undefined ? undefined : { native: dirname(bin), bin };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
