import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { missingTests, testsCitedIn } from './cited-tests.ts';
import { root } from './installed.mjs';

it('every threat of docs/security.md is answered by a test that is there', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const threats =
    text
      .split('\n## ')
      .find((part) => part.startsWith('Threats and answers'))
      ?.split('\n')
      .filter((line) => line.startsWith('| ') && !/^\| (threat|---)/.test(line)) ?? [];
  expect(threats.length).toBeGreaterThan(30);
  expect(threats.filter((line) => testsCitedIn(line).length === 0)).toEqual([]);
  expect(missingTests(testsCitedIn(text))).toEqual([]);
});

it('a test that is not there is missed, be it the name or the file', () => {
  const unnamed = ['no', 'test', 'has', 'this'].join(' ');
  const gone = testsCitedIn(
    `| a | b | \`scripts/cited-tests.test.ts\` › ${unnamed} |\n\`nowhere/x.test.ts\` › anything`,
  );
  expect(gone).toHaveLength(2);
  expect(missingTests(gone)).toEqual(gone);
});

it('a test may be cited by the beginning of its name', () => {
  const cite = (name: string) => testsCitedIn(`| a | b | \`scripts/cited-tests.test.ts\` › ${name} |`);
  expect(missingTests(cite('a test may be cited by…'))).toEqual([]);
  const other = ['a', 'test', 'may', 'not…'].join(' ');
  expect(missingTests(cite(other))).toEqual([{ file: 'scripts/cited-tests.test.ts', name: other }]);
  const unended = ['a', 'test', 'may', 'be'].join(' ');
  expect(missingTests(cite(unended))).toHaveLength(1);
});
