import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { columnName } from '../sync-server/db/column-name.ts';
import { entities } from '../sync-server/db/entities/index.ts';
import { root } from './installed.mjs';

/*
 * Most queries are built, and the compiler compares them with the entities. A row of raw SQL, which the exchange, the
 * collections and tests are left with, has the type that its query claims: a member that was renamed without its column
 * is undefined at run time. Each member must be a word of the query's text, in camel case or in snake case; and each
 * name of two words or more in a query, in its conditions too, must be a table or a column of an entity.
 */

/** Members of claimed row types that the text of their query does not contain, as `line: member`. */
function missingColumns(source: string): string[] {
  const file = ts.createSourceFile('query.ts', source, ts.ScriptTarget.Latest, true);
  const declared = new Map<string, string[]>();
  const namesOf = (members: ts.NodeArray<ts.TypeElement>) =>
    members.flatMap((member) => member.name?.getText(file).replaceAll(/['"]/g, '') ?? []);
  const found: string[] = [];

  function visit(node: ts.Node): void {
    if (ts.isInterfaceDeclaration(node)) declared.set(node.name.text, namesOf(node.members));
    const type = ts.isTaggedTemplateExpression(node) ? node.typeArguments?.[0] : undefined;
    if (ts.isTaggedTemplateExpression(node) && type !== undefined) {
      const text = node.template.getText(file);
      const members = ts.isTypeLiteralNode(type) ? namesOf(type.members) : (declared.get(type.getText(file)) ?? []);
      const has = (name: string) =>
        new RegExp(`\\b(${name}|${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)})\\b`).test(text);
      // A query that takes its columns from elsewhere (`columnsSql`) is typed there; a fragment of a built query
      // selects nothing itself.
      if (/\b(select|returning)\b/.test(text) && !text.includes('${columns')) {
        for (const name of members)
          if (!has(name)) found.push(`${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${name}`);
      }
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}

test('sees a member whose column has another name', () => {
  expect(
    missingColumns('sql<{ position: string; headVersion: string }>`select standing, head_version from sync_meta`'),
  ).toEqual(['1: position']);
  expect(missingColumns('interface Row { at: string }\n\nsql<Row>`select made_at as time from job`')).toEqual([
    '3: at',
  ]);
});

test('every row that raw SQL is said to give has the columns of its query', async () => {
  const wrong: string[] = [];
  let read = 0;
  for await (const path of glob('sync-server/**/*.ts', { cwd: root })) {
    const source = readFileSync(`${root}/${path}`, 'utf8');
    read += source.match(/[sS]ql<[\w{]/g)?.length ?? 0;
    wrong.push(...missingColumns(source).map((where) => `${path}:${where}`));
  }
  expect(wrong).toEqual([]);
  expect(read).toBeGreaterThan(60);
});

/** Names in snake case that raw SQL may use beside ours. */
const ofPostgres = /^(?:pg_\w+|sync_state|flush_lsn|last_archived_wal|mikro_orm_migrations|\w+_fkey)$/;

const ofEntities = new Set(
  Object.values(entities).flatMap(({ meta }) => [
    meta.tableName.split('.').at(-1),
    ...Object.keys(meta.properties).map(columnName),
  ]),
);

/** Names in snake case, in the raw SQL of a source, of which no entity knows. Functions are not looked at. */
function unknownNames(source: string): string[] {
  const queries = [...source.matchAll(/[sS]ql(?:<[^`]*?>)?`([^`]*)`/g)].map(([, query = '']) => query);
  return queries.flatMap((query) =>
    [...query.replaceAll(/\$\{[^}]*\}|'[^']*'/g, ' ').matchAll(/\b[a-z][a-z\d]*(?:_[a-z\d]+)+\b(?!\()/g)]
      .map(([name]) => name)
      .filter((name) => !ofEntities.has(name) && !ofPostgres.test(name)),
  );
}

test('sees a column in a condition that no entity has', () => {
  expect(unknownNames('rawSql`select count(*) from jobs where was_closed_at < ${before}`')).toEqual(['was_closed_at']);
  expect(unknownNames('rawSql`select to_jsonb(jobs) from jobs where closed_at < ${closed_then}`')).toEqual([]);
});

test('raw SQL names no table and no column that no entity has', async () => {
  const unknown: string[] = [];
  for await (const path of glob('sync-server/**/*.ts', { cwd: root })) {
    // A migration speaks of the tables as they were.
    if (/\.test\.ts$|\/(?:migrations|testing)\//.test(path)) continue;
    unknown.push(...unknownNames(readFileSync(`${root}/${path}`, 'utf8')).map((name) => `${path}: ${name}`));
  }
  expect(unknown).toEqual([]);
});
