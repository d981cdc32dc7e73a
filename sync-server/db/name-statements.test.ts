import { expect, test } from 'vitest';
import { createStatementNames } from './name-statements.ts';

test('a statement that comes again and again has one name, and no other has it', () => {
  const nameOf = createStatementNames();
  const five = (text: string) => Array.from({ length: 5 }, () => nameOf(text));
  const [first, second] = [five('select 1'), five('select 2')];
  expect([first.slice(0, 4), second.slice(0, 4)]).toEqual([Array(4).fill(undefined), Array(4).fill(undefined)]);
  expect(first[4]).toMatch(/^dwang_\d+$/);
  expect(second[4]).not.toBe(first[4]);
  expect(nameOf('select 1')).toBe(first[4]);
});

test('no connection keeps more than three hundred of them, whatever comes', () => {
  const nameOf = createStatementNames();
  const names = new Set<string>();
  for (let round = 0; round < 10; round += 1)
    for (let at = 0; at < 1_000; at += 1) {
      const name = nameOf(`select ${at}`);
      if (name !== undefined) names.add(name);
    }
  expect(names.size).toBe(300);
});

test('what came once each does not push out what comes again', () => {
  const nameOf = createStatementNames();
  for (let at = 0; at < 4_000; at += 1) {
    nameOf(`select ${at}`);
    if (at % 1_000 === 0) nameOf('select again');
  }
  expect(nameOf('select again')).toBeDefined();
});
