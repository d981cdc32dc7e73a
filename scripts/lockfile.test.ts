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
const manifest = readJson('package.json') as Record<'dependencies' | 'devDependencies', Record<string, string>> & { allowScripts: Record<string, boolean> };
const locked = Object.entries((readJson('package-lock.json') as { packages: Record<string, LockedPackage> }).packages).filter(([path]) => path !== '');

/** What is wrong with a locked package, where something is. */
function faultsOf([path, entry]: [string, LockedPackage]): string[] {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return [
    // Without an address it comes from the registry that npm is set to, whose bytes the hash then has to fit.
    ...(entry.resolved === undefined || entry.resolved.startsWith('https://registry.npmjs.org/') ? [] : [`${path} comes from ${entry.resolved}`]),
    ...(entry.integrity?.startsWith('sha512-') ? [] : [`${path} has no hash`]),
    ...(entry.hasInstallScript !== true || manifest.allowScripts[name] !== undefined ? [] : [`${path} wants to run a script on installation`]),
  ];
}

it('every package comes from the registry, with a hash, and runs a script only where package.json allows it', () => {
  expect(locked.length).toBeGreaterThan(100);
  expect(locked.flatMap(faultsOf)).toEqual([]);
});

it('a package from elsewhere, without a hash, or with a script nobody allowed is named', () => {
  const bad: [string, LockedPackage] = ['node_modules/bad', { resolved: 'git+ssh://git@example.org/bad.git', hasInstallScript: true }];
  expect(faultsOf(bad)).toEqual(['node_modules/bad comes from git+ssh://git@example.org/bad.git', 'node_modules/bad has no hash', 'node_modules/bad wants to run a script on installation']);
});

it('package.json names exact versions only', () => {
  const asked = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
});
