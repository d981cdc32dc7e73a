import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './installed.mjs';

/** As wide as the formatter lets code be. */
const width = 120;

/** The lines of comments that are wider. A rule is switched off in one line, however long its reason. */
const wideIn = (source: string): string[] =>
  source
    .split('\n')
    .filter((line) => line.length > width && /^\s*(?:\/\/|\/?\*)/.test(line) && !/\boxlint-disable/.test(line));

test('finds a comment that is too wide', () => {
  const long = 'word '.repeat(30);
  expect(wideIn(`// ${long}\n/** ${long}*/\n * ${long}\nconst text = '${long}';`)).toHaveLength(3);
});

test('comments are no wider than code', async () => {
  const found: string[] = [];
  let read = 0;
  const files = '{app,shared,sync-server,simulate,e2e,scripts,bench,public}/**/*.{ts,tsx,mjs,js,css}';
  for await (const file of glob(files, { cwd: root })) {
    read += 1;
    found.push(...wideIn(readFileSync(join(root, file), 'utf8')).map((line) => `${file}: ${line}`));
  }
  expect(read).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
