import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './installed.mjs';

/**
 * Words of our own for what the field has a word for (docs/glossary.md). They are left in stored and wire names alone.
 */
const invented = new Set(
  'desk shelf shelves untaken clearings lineage holdings house lobby lane arrival arrivals reign robs theft bite happenings zoo judge theatre scene parked shadow spare breath'.split(
    ' ',
  ),
);

const wordsOf = (name: string) => name.split(/(?<=[a-z\d])(?=[A-Z])|_/).map((word) => word.toLowerCase());

/** The names that a text declares with an invented word in them. */
const inventedIn = (source: string): string[] =>
  [...source.matchAll(/\b(?:function|const|let|class|interface|type|enum) (\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => wordsOf(name).some((word) => invented.has(word)));

const isVague = (text: string) =>
  /\b(?:whoever|nobody|somebody|everybody|anybody)\b/i.test(text.replaceAll(/`[^`]*`/g, ''));

const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const testTitle = /\b(?:test|it|describe)(?:\.\w+)*\(\s*(['"`]).*?\1,/g;

/** The comments and the titles of tests that speak of people whom a plain sentence would name. */
const vagueIn = (source: string): string[] =>
  [comment, testTitle].flatMap((what) => [...source.matchAll(what)]).flatMap(([text]) => (isVague(text) ? text : []));

test.each(['const shelfOf = 1;', 'function openLobby() {}', 'export type ParkedList = 1;', 'let desk: Page;'])(
  'finds an invented word: %s',
  (source) => {
    expect(inventedIn(source)).toHaveLength(1);
  },
);

test.each(['const lighthouse = 1;', 'const foreign = 1;', 'db.shadow.clear();'])('lets pass: %s', (source) => {
  expect(inventedIn(source)).toEqual([]);
});

test.each([
  "test('nobody waits', async () => {",
  "it.each(rows)('%s', () => {}); it('somebody waits', () => {",
  '// Whoever asks.',
])('finds a vague word: %s', (source) => {
  expect(vagueIn(source)).toHaveLength(1);
});

test('names are of standard words, and comments, titles of tests and pages name whom they speak of', async () => {
  const found: string[] = [];
  let read = 0;
  for await (const file of glob('{app,shared,sync-server,simulate,e2e,scripts,bench}/**/*.{ts,tsx,mjs,css}', {
    cwd: root,
  })) {
    // A migration's name is stored in every database.
    if (file.includes('/migrations/') || file === 'scripts/standard-words.test.ts') continue;
    read += 1;
    const source = readFileSync(join(root, file), 'utf8');
    found.push(...[...inventedIn(source), ...vagueIn(source)].map((what) => `${file}: ${what}`));
  }
  for await (const page of glob(['*.md', '{docs,shared,bench}/**/*.md'], { cwd: root })) {
    read += 1;
    found.push(
      ...readFileSync(join(root, page), 'utf8')
        .split('\n')
        .filter(isVague)
        .map((line) => `${page}: ${line}`),
    );
  }
  expect(read).toBeGreaterThan(1_000);
  expect(found).toEqual([]);
});
