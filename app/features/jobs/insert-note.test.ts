import { expect, test } from 'vitest';
import { insertNote, withoutNote } from './insert-note.ts';

const [thursday, monday] = ['I can come on Thursday.', 'Free from Monday.'] as const;
const notes = [thursday, monday];

test('a prepared note fills an empty field, and takes the place of another prepared one', () => {
  expect(insertNote(' \n', thursday, notes)).toBe(thursday);
  expect(insertNote(thursday, monday, notes)).toBe(monday);
});

test('what was typed is never replaced: the note comes after it', () => {
  expect(insertNote('Kia ora Bill', thursday, notes)).toBe(`Kia ora Bill\n\n${thursday}`);
  expect(insertNote(`${thursday} Or Friday.`, monday, notes)).toBe(`${thursday} Or Friday.\n\n${monday}`);
});

test('where there is no room for both, what was typed stays', () => {
  expect(insertNote('x'.repeat(990), thursday, notes)).toBeUndefined();
  expect(insertNote('x'.repeat(998 - thursday.length), thursday, notes)).toHaveLength(1_000);
});

test('a note that was put in is taken out again, and what was typed stays', () => {
  expect(withoutNote(thursday, thursday)).toBe('');
  expect(withoutNote(`Kia ora\n\n${thursday}`, thursday)).toBe('Kia ora');
  expect(withoutNote(`${thursday} Or Friday.`, thursday)).toBeUndefined();
});
