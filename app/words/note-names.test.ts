import { expect, test } from 'vitest';
import { noteNames } from './note-names.ts';

test('a note is called by how it begins, in one line', () => {
  expect(noteNames(['Can look this week.\n\nCheers'])).toEqual(['Can look this week. Cheers']);
  const [long] = noteNames([`${'Kia ora '.repeat(30)}`]);
  expect(long).toBe('Kia ora Kia ora Kia ora Kia ora Kia…');
});

test('notes that begin alike are called by where they begin to differ', () => {
  const hello = 'Kia ora, Hemi here from Cambridge Decks. ';
  const names = noteNames([`${hello}I can come on Thursday.`, `${hello}I can come on Monday.`, 'Done many of these']);
  expect(names).toEqual(['…Thursday.', '…Monday.', 'Done many of these']);
});

test('a note of the longest length, or of letters beyond the first plane, is cut between letters', () => {
  const [name] = noteNames(['🔨'.repeat(500)]);
  expect(name).toBe(`${'🔨'.repeat(36)}…`);
});

test('a note that another one goes on from keeps a name', () => {
  const short = 'Kia ora, Hemi here from Cambridge Decks';
  for (const name of noteNames([short, `${short} and more`])) expect(name).not.toBe('');
});
