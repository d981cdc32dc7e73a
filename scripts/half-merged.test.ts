import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './installed.mjs';

/** What git leaves around two versions of a passage that it could not merge. */
const marksIn = (text: string): string[] => text.split('\n').filter((line) => /^(?:<{7}|>{7}|\|{7}) /.test(line));

test('finds both sides of a conflict', () => {
  const [ours, base, theirs] = ['<', '|', '>'].map((mark) => mark.repeat(7));
  expect(marksIn(`${ours} HEAD\nwas\n${base} base\n=======\nis\n${theirs} a branch`)).toHaveLength(3);
});

test('no text is left half merged', async () => {
  const found: string[] = [];
  let read = 0;
  const files = [
    '*.{md,json,ts}',
    '{app,shared,sync-server,simulate,e2e,scripts,bench,public,docs}/**/*.{md,ts,tsx,mjs,js,css,html,json,sql,py}',
  ];
  for await (const file of glob(files, { cwd: root, exclude: (path) => path.endsWith('node_modules') })) {
    read += 1;
    found.push(...marksIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line}`));
  }
  expect(read).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
