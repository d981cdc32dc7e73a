import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import type { CitedTest } from './cited-tests.ts';
import { root } from './installed.mjs';

/** The parts of the product (its screens, its data, its promises) as tests name them: `[§2 /find-jobs]`. */
export const sections: readonly string[] = [
  '1',
  ...['', ' header', ' /', ' sign-in', ' /find-tradies', ' /dashboard', ' /post-job', ' /find-jobs', ' /job/{id}'].map(
    (screen) => `2${screen}`,
  ),
  ...['/edit-job/{id}', '/tradie/{id}', '/become-tradie', '/edit-tradie', '/edit-account', '/legal'].map(
    (screen) => `2 ${screen}`,
  ),
  '3',
  ...['start-up', 'sign-in', 'job', 'subscription'].map((state) => `4 ${state}`),
  '5',
  '6',
  '7',
  '8',
  '9',
  'offline',
  'settled',
];

/** The sections that a title names. */
export function sectionsIn(title: string): string[] {
  const tag = /\[(§[^\]]+)\]/.exec(title)?.[1];
  return tag === undefined ? [] : tag.split(', ').map((section) => section.replace(/^§/, ''));
}

/** Each section, known or not, with the tests whose titles name it. */
export async function taggedTests(): Promise<Map<string, CitedTest[]>> {
  const found = new Map<string, CitedTest[]>(sections.map((section) => [section, []]));
  const files = glob('{app,shared,sync-server,simulate,e2e,scripts}/**/*.{test,spec}.{ts,tsx}', { cwd: root });
  for await (const file of files) {
    if (file === 'scripts/spec-coverage.test.ts') continue;
    for (const [, , name = ''] of readFileSync(join(root, file), 'utf8').matchAll(/\(\s*(['"`])(.+? \[§[^\]]+\])\1/g)) {
      for (const section of sectionsIn(name)) found.set(section, [...(found.get(section) ?? []), { file, name }]);
    }
  }
  return found;
}
