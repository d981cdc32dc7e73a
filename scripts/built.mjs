import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runtime, toolEnv } from './installed.mjs';

/** What the built app is made from. */
const sources = [
  'app',
  'shared',
  'public',
  'vite.config.ts',
  'tsconfig.base.json',
  'package-lock.json',
  ...['installable', 'one-language', 'precache-bundle', 'precompress', 'prerender'].map(
    (name) => `scripts/vite-${name}.ts`,
  ),
];
const unbuilt = /(\.test\.tsx?|\/testing\/.*|\.md)$/;

/** Names the state of everything the app is built from, under `folder`. */
export function stateOfSources(folder) {
  const hash = createHash('sha256');
  for (const source of sources) {
    const path = join(folder, source);
    if (!existsSync(path)) continue;
    for (const file of filesOf(path)) {
      const name = file.slice(folder.length);
      if (!unbuilt.test(name)) hash.update(`${name}\0`).update(readFileSync(file)).update('\0');
    }
  }
  return hash.digest('hex');
}

function filesOf(path) {
  const entries = (() => {
    try {
      return readdirSync(path, { withFileTypes: true });
    } catch (error) {
      if (error.code === 'ENOTDIR') return undefined;
      throw error;
    }
  })();
  if (entries === undefined) return [path];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1)).flatMap((entry) => filesOf(join(path, entry.name)));
}

/** Why the app has to be built anew; undefined where what is there is of these sources. */
export function staleness(folder, state) {
  const stamp = join(folder, 'dist/.built-from');
  if (!existsSync(stamp)) return 'it was not built yet';
  return readFileSync(stamp, 'utf8') === state ? undefined : 'its sources have changed';
}

/** Builds the app where that is due. The stamp comes last, so a build that broke off is done again. */
export function buildIfStale() {
  const state = stateOfSources(root);
  const why = staleness(root, state);
  if (why === undefined) return;
  console.log(`Building the app: ${why}.`);
  const { error, status } = spawnSync(
    runtime(),
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    { cwd: root, env: toolEnv(), stdio: 'inherit' },
  );
  if (error || status !== 0) throw new Error(`the build failed${error ? `: ${error.message}` : ''}; see above`);
  writeFileSync(join(root, 'dist/.built-from'), state);
}
