import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from './installed.mjs';

interface Line {
  ticked: boolean;
  text: string;
  /** Where it is seen: a test file and the name of a test in it, as written there. */
  tests: { file: string; name: string }[];
}

function readLines(markdown: string): Line[] {
  return markdown.split('\n').flatMap((line) => {
    const [, tick, text, named] = /^- \[(.)\] (.+?): (`.+)$/.exec(line) ?? [];
    if (tick === undefined || text === undefined || named === undefined) return [];
    const tests = [...named.matchAll(/`([^`]+)` › (.+?)(?=; `|$)/g)].map(([, file = '', name = '']) => ({ file, name }));
    return [{ ticked: tick === 'x', text, tests }];
  });
}

const sources = new Map<string, string | undefined>();
function sourceOf(file: string): string | undefined {
  if (!sources.has(file)) {
    const path = join(root, file);
    // A quoted name is written with backslashes where the quotes are its own, a pattern with backslashes before its dots.
    sources.set(file, existsSync(path) ? readFileSync(path, 'utf8').replaceAll(/\\(['.()?$+])/g, '$1') : undefined);
  }
  return sources.get(file);
}

/** As it stands in `test('…'`, `it('…'` and `.each(…)('…'`; one that is left out does not count. */
function hasTest({ file, name }: Line['tests'][number]): boolean {
  const source = sourceOf(file) ?? '';
  return ["'", '"', '`'].some((quote) => {
    const at = source.indexOf(`(${quote}${name}${quote}`);
    return at >= 0 && !/\.(skip|todo|skipIf|runIf)(\([^()]*\))?$/.test(source.slice(Math.max(0, at - 60), at));
  });
}

const document = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8');
const lines = readLines(document);

describe('docs/spec-coverage.md', () => {
  it('has every section of the specification, and both of the product decisions', () => {
    const headings = document.split('\n').filter((line) => line.startsWith('## '));
    for (const section of [1, 2, 3, 4, 5, 6, 7, 8, 9]) expect(headings.some((heading) => heading.startsWith(`## ${section}. `))).toBe(true);
    expect(headings.filter((heading) => heading.includes('product decisions'))).toHaveLength(2);
  });

  it('leaves nothing unticked, and names a test in every line', () => {
    const listed = document.split('\n').filter((line) => line.startsWith('- ['));
    expect(lines).toHaveLength(listed.length);
    expect(lines.filter(({ ticked, tests }) => !ticked || tests.length === 0)).toEqual([]);
  });

  it('names tests that are there', () => {
    expect(lines.flatMap(({ tests }) => tests).filter((test) => !hasTest(test))).toEqual([]);
  });

  it('quotes texts that the tests named look for', () => {
    const unseen = lines.flatMap(({ text, tests }) =>
      [...text.matchAll(/“([^”]+)”/g)].map(([, quoted = '']) => quoted).filter((quoted) => !tests.some(({ file }) => sourceOf(file)?.includes(quoted) === true)));
    expect(unseen).toEqual([]);
  });
});

describe('reading the document', () => {
  it('takes a line apart, and sees one that is not ticked or names a test that is not there', () => {
    const [line] = readLines('- [ ] Says “Hello”: `a/b.test.ts` › one; and more; `scripts/spec-coverage.test.ts` › names tests that are there');
    expect(line).toEqual({
      ticked: false,
      text: 'Says “Hello”',
      tests: [{ file: 'a/b.test.ts', name: 'one; and more' }, { file: 'scripts/spec-coverage.test.ts', name: 'names tests that are there' }],
    });
    expect(line?.tests.map(hasTest)).toEqual([false, true]);
  });
});
