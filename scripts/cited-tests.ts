import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './installed.mjs';

/** A test as a document names it: its file, and its name as written there. */
export interface CitedTest {
  file: string;
  name: string;
}

/**
 * Finds `` `path/to/x.test.ts` › its name ``, which ends with its table cell, its line, or before the next one. The
 * beginning of a name ends with `…`.
 */
export function testsCitedIn(markdown: string): CitedTest[] {
  return [...markdown.matchAll(/`([\w./-]+\.(?:test|spec)\.tsx?)` › (.+?)\s*(?=; `|\||$)/gm)].map(
    ([, file = '', name = '']) => ({ file, name }),
  );
}

/** Those that are not there under that name, or are left out of the run. */
export function missingTests(cited: readonly CitedTest[]): CitedTest[] {
  return cited.filter((test) => !isThere(test));
}

/** A test file's text as a document would write it; undefined where there is none. */
export function testSource(file: string): string | undefined {
  const path = join(root, file);
  // A quoted name is written with backslashes where the quotes are its own, a pattern with backslashes before its dots.
  if (!existsSync(path)) return undefined;
  // A long name stands on the line after `test(`.
  return readFileSync(path, 'utf8')
    .replaceAll(/\(\s+(['"`])/g, '($1')
    .replaceAll(/\\(['.()?$+])/g, '$1');
}

/** Finds the name as it stands in `test('…'`, `it('…'` and `.each(…)('…'`. */
function isThere({ file, name }: CitedTest): boolean {
  const source = testSource(file) ?? '';
  return ["'", '"', '`'].some((quote) => {
    const at = source.indexOf(`(${quote}${name.endsWith('…') ? name.slice(0, -1) : `${name}${quote}`}`);
    return at >= 0 && !/\.(skip|todo|skipIf|runIf)(\([^()]*\))?$/.test(source.slice(Math.max(0, at - 60), at));
  });
}
