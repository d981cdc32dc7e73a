import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './installed.mjs';

/**
 * Words of our own for what the field has a word for (docs/glossary.md). They are left in stored and wire names alone.
 */
const invented = new Set(
  'desk shelf shelves untaken clearings lineage holdings house lobby lane lanes arrival arrivals reign robs theft bite happenings zoo judge theatre scene parked shadow spare breath'.split(
    ' ',
  ),
);

/** Stored and wire names, and one of a library (`lane`): as members, and where they are destructured, they stay. */
const stored = new Set(
  'shelf shelves shelfStates shelfVersion shelfRegion shelfLeft lineage parked parkedAt shadow spare lane'.split(' '),
);

const wordsOf = (name: string) => name.split(/(?<=[a-z\d])(?=[A-Z])|[_-]/).map((word) => word.toLowerCase());

const isInvented = (name: string) => /^most[A-Z]/.test(name) || wordsOf(name).some((word) => invented.has(word));

/** Comments, texts and what JSX shows hold no names; a name with `_` is a column's. */
const noName =
  /\/\*[\s\S]*?\*\/|\/\/.*$|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|(?<=>)[^<>{}=;]*(?=<)/gm;

/** The names in a text with an invented word: declared ones, members, parameters, and what is destructured. */
function inventedIn(source: string): string[] {
  const declared = [...source.matchAll(/\b(?:function|const|let|class|interface|type|enum) (\w+)/g)].map(
    ([, name = '']) => name,
  );
  const used = [...source.replaceAll(noName, '').matchAll(/[A-Za-z]\w*/g)]
    .map(([name]) => name)
    .filter((name) => !name.includes('_') && !stored.has(name));
  return [...new Set([...declared, ...used])].filter(isInvented);
}

/** Of `e2e/shared-server.ts`: `shared-server`. */
const fileName = (file: string) => basename(file).replace(/\..*$/, '');

const isVague = (text: string) =>
  /\b(?:whoever|nobody|somebody|everybody|anybody)\b/i.test(text.replaceAll(/`[^`]*`/g, ''));

const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const testTitle = /\b(?:test|it|describe)(?:\.\w+)*\(\s*(['"`]).*?\1,/g;

/** The comments and the titles of tests that speak of people whom a plain sentence would name. */
const vagueIn = (source: string): string[] =>
  [comment, testTitle].flatMap((what) => [...source.matchAll(what)]).flatMap(([text]) => (isVague(text) ? text : []));

test.each([
  'const shelfOf = 1;',
  'function openLobby() {}',
  'export type ParkedList = 1;',
  'let desk: Page;',
  'const lineage = 1;',
  'interface Seen { readonly theatre: string }',
  'function take(parkedJobs: Job[]) {}',
  'const { head, reign } = seen;',
  'seen.shelfLife.end();',
  'const mostRaised = 1;',
])('finds an invented word: %s', (source) => {
  expect(inventedIn(source)).toHaveLength(1);
});

test.each([
  'const lighthouse = 1;',
  'const foreign = 1;',
  'db.shadow.clear();',
  "sql.select('house'); // of the theatre",
  '<p>Near your house</p>',
  'row.shelf_region;',
])('lets pass: %s', (source) => {
  expect(inventedIn(source)).toEqual([]);
});

test('finds an invented word in a file’s name', () => {
  expect(['e2e/lanes.ts', 'e2e/shared-server.ts'].map((file) => isInvented(fileName(file)))).toEqual([true, false]);
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
    const named = fileName(file);
    // The command that is called so.
    if (isInvented(named) && !stored.has(named)) found.push(file);
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
