import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defects } from './defects.ts';
import { plantedIn } from './plant.ts';
import { testedDefects } from './tested-defects.ts';

const textOf = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const all = [...defects, ...testedDefects];

test.each(all)('"$name" can still be planted', (defect) => {
  expect(defect.changes).not.toEqual([]);
  for (const file of new Set(defect.changes.map((change) => change.file))) {
    expect(plantedIn(textOf(file), file, defect)).not.toBe(textOf(file));
  }
});

test('a text that is missing or there twice cannot be replaced', () => {
  const plant = (source: string) => () =>
    plantedIn(source, 'a.ts', { name: 'N', changes: [{ file: 'a.ts', was: 'b', is: 'c' }] });
  expect([
    plant('abc')(),
    plantedIn('abc', 'other.ts', { name: 'N', changes: [{ file: 'a.ts', was: 'b', is: 'c' }] }),
  ]).toEqual(['acc', undefined]);
  expect(plant('ac')).toThrow('exactly once');
  expect(plant('abb')).toThrow('exactly once');
});

test('a text is found however the formatter broke its lines', () => {
  const change = { file: 'a.ts', was: "call(one, { two: 'three' });", is: 'gone();' };
  const plant = (source: string) => plantedIn(source, 'a.ts', { name: 'N', changes: [change] });
  expect(plant("{\n  call(\n    one,\n    { two: 'three', },\n  );\n}")).toBe('{\n  gone();\n}');
  expect(() => plant("call(one, two, { two: 'three' });")).toThrow('exactly once');
});

test('each defect has a name of its own, and a rule that should catch it', () => {
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
  expect([defects.length >= 30, all.length >= 50]).toEqual([true, true]);
  for (const { caughtBy } of defects) expect(caughtBy.length).toBeGreaterThan(0);
});

test.each(testedDefects.map(({ caughtBy }) => caughtBy))('there is a test "$test"', ({ file, test: name }) => {
  // In the titles of a table of tests, the values stand for `%s`.
  expect(textOf(file).replaceAll('%s', 'before').split(name).length).toBe(2);
});
