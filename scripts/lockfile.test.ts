import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './installed.mjs';

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  link?: boolean;
}

const readJson = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as unknown;
const manifest = readJson('package.json') as Record<'dependencies' | 'devDependencies', Record<string, string>> & {
  allowScripts: Record<string, boolean>;
};
/** Of the product, and of what `npm run bench` fetches for itself. */
const lockfiles = ['package-lock.json', 'bench/lighthouse/package-lock.json'];
const lockedIn = (file: string) =>
  Object.entries((readJson(file) as { packages: Record<string, LockedPackage> }).packages).filter(
    ([path]) => path !== '',
  );

/** What is wrong with a locked package, where something is. */
function faultsOf([path, entry]: [string, LockedPackage]): string[] {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return [
    // Without an address it comes from the registry that npm is set to, whose bytes the hash then has to fit.
    ...(entry.resolved === undefined || entry.resolved.startsWith('https://registry.npmjs.org/')
      ? []
      : [`${path} comes from ${entry.resolved}`]),
    ...(entry.integrity?.startsWith('sha512-') ? [] : [`${path} has no hash`]),
    ...(entry.hasInstallScript !== true || manifest.allowScripts[name] !== undefined
      ? []
      : [`${path} wants to run a script on installation`]),
  ];
}

it.each(lockfiles)(
  'every package of %s comes from the registry, with a hash, and runs a script only where package.json allows it',
  (file) => {
    const locked = lockedIn(file);
    expect(locked.length).toBeGreaterThan(100);
    expect(locked.flatMap(faultsOf)).toEqual([]);
  },
);

it('a package from elsewhere, without a hash, or with a script that is not allowed is named', () => {
  const bad: [string, LockedPackage] = [
    'node_modules/bad',
    { resolved: 'git+ssh://git@example.org/bad.git', hasInstallScript: true },
  ];
  expect(faultsOf(bad)).toEqual([
    'node_modules/bad comes from git+ssh://git@example.org/bad.git',
    'node_modules/bad has no hash',
    'node_modules/bad wants to run a script on installation',
  ]);
});

it('what is asked for has an exact version', () => {
  const { dependencies } = readJson('bench/lighthouse/package.json') as typeof manifest;
  const asked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies, ...dependencies });
  expect(asked.filter(([, version]) => !/^(npm:(@[\w-]+\/)?[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual(
    [],
  );
});

it('the lockfile names the version that package.json names', () => {
  const { version, packages } = readJson('package-lock.json') as {
    version: string;
    packages: Record<string, LockedPackage>;
  };
  const { version: ours } = readJson('package.json') as { version: string };
  expect([version, packages['']?.version]).toEqual([ours, ours]);
});
