import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './installed.mjs';
import type { Part } from './run-part.ts';

const folders = ['app', 'shared', 'sync-server', 'simulate', 'e2e', 'scripts', 'bench'].filter((folder) =>
  existsSync(join(root, folder)),
);

/** What holds without running anything of ours. The slowest first, so that the others fit beside it. */
export const staticParts: Part[] = [
  // By its path: the `tsc` of the compiler that tools call as a library (`typescript`) has the same name.
  { name: 'types', command: 'node', args: ['node_modules/@typescript/native/bin/tsc', '-b', '--pretty'] },
  { name: 'lint', command: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'lint of browser tests', command: 'node', args: ['scripts/lint-specs.ts'] },
  { name: 'format', command: 'oxfmt', args: ['--check'] },
  {
    name: 'module boundaries',
    command: 'depcruise',
    args: [...folders, '--config', '.dependency-cruiser.cjs', '--output-type', 'err'],
  },
  {
    name: 'modules one way',
    command: 'depcruise',
    args: ['app', 'shared', 'sync-server', '--config', '.dependency-cruiser.modules.cjs', '--output-type', 'err'],
  },
  { name: 'nothing unused', command: 'knip', args: ['--no-progress'] },
  // Builds the app where that is stale, which takes some seconds.
  { name: 'weight', command: 'node', args: ['scripts/weight.ts'] },
];

export const fastTests: Part = {
  name: 'fast tests',
  command: 'vitest',
  args: ['run', '--project', 'unit', '--project', 'dom', '--reporter', 'dot'],
};
