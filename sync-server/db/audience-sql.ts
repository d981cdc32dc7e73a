import type { AudiencePath, TableDefinition } from '../../shared/tables/define-table.ts';
import { tables, type TableName } from '../../shared/tables/index.ts';
import { columnName } from './column-name.ts';

type AnyTable = TableDefinition<string, { id: string }>;
interface Path {
  table: TableName;
  match: string;
  column: string;
}

export const allTables = Object.keys(tables) as TableName[];
const audienceOf = (table: TableName): readonly AudiencePath[] => (tables[table] as unknown as AnyTable).audience;
export const idType = (table: TableName) => (table === 'reference' ? 'text' : 'uuid');

/** Columns of the row itself that name a person who gets it. */
export const ownColumns = (table: TableName) =>
  audienceOf(table).flatMap((path) => ('through' in path ? [] : [columnName(path.column)]));

/** The tables whose rows decide who gets rows of `table`. */
export function throughPaths(table: TableName): Path[] {
  return audienceOf(table).flatMap((path) => {
    if (!('through' in path)) return [];
    return [{ table: path.through as TableName, match: columnName(path.match), column: columnName(path.column) }];
  });
}

/** Rows of other tables whose audience depends on rows of `table`. */
export const touchedBy = (table: TableName) =>
  allTables.flatMap((target) =>
    throughPaths(target)
      .filter((path) => path.table === table)
      .map((path) => ({ ...path, target })),
  );

/** Each person once, in one order. Written out in every statement: a function of its own would cost more. */
export const peopleSql = (among: string) =>
  `array(select distinct person from unnest(${among}) person where person is not null order by person)`;

/** The people who get the row now, as an array that may hold nulls and repeats. */
export function audienceSql(table: TableName, row: string): string {
  const own = ownColumns(table).map((column) => `${row}.${column}`);
  const through = throughPaths(table).map(
    (path) => `array(select t.${path.column} from public.${path.table} t where t.${path.match} = ${row}.id)`,
  );
  return [`array[${own.join(', ')}]::uuid[]`, ...through].join(' || ');
}
