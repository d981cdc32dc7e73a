import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingTests, testsCitedIn, testSource, type CitedTest } from './cited-tests.ts';
import { root } from './installed.mjs';

interface Line {
  ticked: boolean;
  text: string;
  /** Where it is seen. */
  tests: CitedTest[];
}

function readLines(markdown: string): Line[] {
  return markdown.split('\n').flatMap((line) => {
    const [, tick, text, named] = /^- \[(.)\] (.+?): (`.+)$/.exec(line) ?? [];
    if (tick === undefined || text === undefined || named === undefined) return [];
    return [{ ticked: tick === 'x', text, tests: testsCitedIn(named) }];
  });
}

const document = readFileSync(join(root, 'docs/spec-coverage.md'), 'utf8');
const lines = readLines(document);

describe('docs/spec-coverage.md', () => {
  it('has every section of the specification, and both of the product decisions', () => {
    const headings = document.split('\n').filter((line) => line.startsWith('## '));
    for (const section of [1, 2, 3, 4, 5, 6, 7, 8, 9])
      expect(headings.some((heading) => heading.startsWith(`## ${section}. `))).toBe(true);
    expect(headings.filter((heading) => heading.includes('product decisions'))).toHaveLength(2);
  });

  it('leaves nothing unticked, and names a test in every line', () => {
    const listed = document.split('\n').filter((line) => line.startsWith('- ['));
    expect(lines).toHaveLength(listed.length);
    expect(lines.filter(({ ticked, tests }) => !ticked || tests.length === 0)).toEqual([]);
  });

  it('names tests that are there', () => {
    expect(missingTests(lines.flatMap(({ tests }) => tests))).toEqual([]);
  });

  it('quotes texts that the tests named look for', () => {
    const unseen = lines.flatMap(({ text, tests }) =>
      [...text.matchAll(/“([^”]+)”/g)]
        .map(([, quoted = '']) => quoted)
        .filter((quoted) => !tests.some(({ file }) => testSource(file)?.includes(quoted) === true)),
    );
    expect(unseen).toEqual([]);
  });
});

describe('reading the document', () => {
  it('takes a line apart, and sees one that is not ticked or names a test that is not there', () => {
    const [line] = readLines(
      '- [ ] Says “Hello”: `a/b.test.ts` › one; and more; `scripts/spec-coverage.test.ts` › names tests that are there',
    );
    expect(line).toEqual({
      ticked: false,
      text: 'Says “Hello”',
      tests: [
        { file: 'a/b.test.ts', name: 'one; and more' },
        { file: 'scripts/spec-coverage.test.ts', name: 'names tests that are there' },
      ],
    });
    expect(missingTests(line?.tests ?? [])).toEqual([{ file: 'a/b.test.ts', name: 'one; and more' }]);
  });
});
