import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { tables } from '../shared/tables/index.ts';
import { root } from './installed.mjs';

/*
 * Rows of synced tables are written by the store, by retention and by the seed, with a version. The compiler lets no
 * other query insert or update one (`Schema`, sync-server/db/schema.ts); what it cannot see is a deletion and raw SQL.
 */

const names = Object.keys(tables).join('|');
const built = new RegExp(String.raw`\bdeleteFrom\(\s*['"\`](?:${names})\b`, 'g');
const raw = new RegExp(
  String.raw`\b(?:delete\s+from|insert\s+into|update|truncate)\s+(?:only\s+)?(?:public\.)?"?(?:${names})"?\b(?!\s*,)(?=\s+\w|\s*[($\`])`,
  'gi',
);

const writesIn = (source: string): string[] =>
  [built, raw].flatMap((expression) => [...source.matchAll(expression)].map(([text]) => text));

const mayWrite =
  /^sync-server\/(?:(?:store|db\/seed|db\/migrations|testing)\/|sync\/forget-|db\/write-rows\.ts$)|\.test\.ts$/;

test.each([
  "sql.deleteFrom('jobs').execute()",
  'rawSql`delete from interests where id = ${id}`',
  "rawSql`update jobs set title = 'New'`",
  'rawSql`insert into marks (id) values (${id})`',
])('finds %s', (source) => {
  expect(writesIn(source)).toHaveLength(1);
});

test.each([
  "sql.selectFrom('jobs')",
  "sql.deleteFrom('sessions')",

  'for update of jobs',
])('lets pass %s', (source) => {
  expect(writesIn(source)).toEqual([]);
});

test('no other module deletes rows of a synced table, or writes them by raw SQL', async () => {
  const found: string[] = [];
  let read = 0;
  for await (const file of glob('sync-server/**/*.ts', { cwd: root })) {
    if (mayWrite.test(file)) continue;
    read += 1;
    found.push(...writesIn(readFileSync(`${root}/${file}`, 'utf8')).map((what) => `${file}: ${what}`));
  }
  expect(read).toBeGreaterThan(300);
  expect(found).toEqual([]);
});
