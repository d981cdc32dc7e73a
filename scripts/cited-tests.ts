import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A test as a document names it: `` `path/to/x.test.ts` › its name `` at the end of a table cell or line. */
export interface CitedTest {
  file: string;
  name: string;
}

const citation = /`([\w./-]+\.(?:test|spec)\.tsx?)` › ([^|\n]+?)\s*(?=\||$)/gm;

export function testsCitedIn(markdown: string): CitedTest[] {
  return [...markdown.matchAll(citation)].flatMap(([, file, name]) => (file === undefined || name === undefined ? [] : [{ file, name: name.replaceAll('\\|', '|') }]));
}

/** Those of the cited tests that are not to be found in the files under `root`. */
export function missingTests(root: string, cited: readonly CitedTest[]): CitedTest[] {
  const sources = new Map<string, string>();
  const sourceOf = (file: string) => {
    const path = join(root, file);
    if (!sources.has(file)) sources.set(file, existsSync(path) ? readFileSync(path, 'utf8').replaceAll("\\'", "'") : '');
    return sources.get(file) ?? '';
  };
  return cited.filter(({ file, name }) => !["'", '`', '"'].some((quote) => sourceOf(file).includes(`${quote}${name}${quote}`)));
}
