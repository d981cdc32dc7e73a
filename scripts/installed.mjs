import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';

/*
 * Runs on Node 20.19 with nothing installed: plain JavaScript, Node's own modules only.
 */

export const root = resolve(import.meta.dirname, '..');

/**
 * What of the lockfile is not installed as it says; empty where the installation is complete. npm notes what it
 * installed in
 * `node_modules/.package-lock.json`, at the very end, so an installation that broke off counts as none.
 */
export function missingPackages(wanted, installed) {
  return Object.entries(wanted.packages)
    .filter(
      ([path, entry]) =>
        path !== '' &&
        entry.link !== true &&
        entry.optional !== true &&
        installed?.packages?.[path]?.version !== entry.version,
    )
    .map(([path]) => path);
}

/** Installs what the lockfile says, where that is not what is there. */
export function installIfStale() {
  const readJson = (path) => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined);
  const missing = missingPackages(
    readJson(join(root, 'package-lock.json')),
    readJson(join(root, 'node_modules/.package-lock.json')),
  );
  if (missing.length === 0 && existsSync(nodeBinary())) return;
  console.log(
    existsSync(join(root, 'node_modules'))
      ? 'Installing packages: the lockfile has changed.'
      : 'Installing packages: this takes a minute the first time.',
  );
  let { error, status } = npmCi();
  if (!error && status !== 0) {
    console.log('npm ci did not get through; once more.');
    ({ error, status } = npmCi());
  }
  if (error || status !== 0)
    throw new Error(`npm ci failed${error ? `: ${error.message}` : ` with status ${status}`}; see above`);
}

/** npm ci deletes node_modules first, so neither npm nor its scripts may run on the Node that is installed there. */
function npmCi() {
  const own = join(root, 'node_modules');
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !resolve(folder).startsWith(own));
  if (!process.execPath.startsWith(own)) path.unshift(dirname(process.execPath));
  const env = { ...process.env, PATH: path.join(delimiter), NODE_ENV: '' };
  const npmCli = process.env.npm_execpath;
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: root, env, stdio: 'inherit' };
  return npmCli?.endsWith('.js') ? spawnSync('node', [npmCli, ...args], options) : spawnSync('npm', args, options);
}

function nodeBinary() {
  return join(root, 'node_modules/node/bin/node');
}

/** The Node that everything runs on: the installed one, or this one where it can run TypeScript as it is. */
export function runtime() {
  if (existsSync(nodeBinary())) return nodeBinary();
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 18)) return process.execPath;
  throw new Error(
    `Node 24 did not get installed into node_modules/node (are npm's install scripts switched off?), and Node ${process.versions.node} is too old to do without`,
  );
}

/**
 * The environment in which the installed tools find each other, and keep what they have compiled: half of what a
 * command takes to start.
 */
export function toolEnv() {
  const folders = [dirname(runtime()), join(root, 'node_modules/.bin')];
  const compiled = join(root, 'node_modules/.cache/dwang/compiled');
  return { NODE_COMPILE_CACHE: compiled, ...process.env, PATH: [...folders, process.env.PATH ?? ''].join(delimiter) };
}
