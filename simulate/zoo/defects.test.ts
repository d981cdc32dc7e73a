import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defects } from './defects.ts';

const root = join(import.meta.dirname, '../..');

test.each(defects.flatMap(({ name, changes }) => changes.map(({ file, was, is }) => ({ name, file, was, is }))))('"$name" can still be planted in $file', ({ file, was, is }) => {
  const source = readFileSync(join(root, file), 'utf8');
  expect(source.split(was).length - 1).toBe(1);
  expect(source.replace(was, () => is)).not.toBe(source);
});

test('each defect has a name of its own, and a rule that should catch it', () => {
  expect(new Set(defects.map(({ name }) => name)).size).toBe(defects.length);
  expect(defects.length).toBeGreaterThanOrEqual(18);
  for (const { caughtBy } of defects) expect(caughtBy.length).toBeGreaterThan(0);
});
