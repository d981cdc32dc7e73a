import type { TableName } from '../../shared/tables/index.ts';
import {
  collectionColumns,
  collectionOfTable,
  collections,
  type CollectionDefinition,
} from '../../shared/tables/collections.ts';
import { columnName } from './column-name.ts';

/*
 * What the triggers (`sync-triggers.ts`) ask of a row about its shared collection, as SQL: is it in it, did it change
 * for its readers, and in which region is it.
 */

export const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** Is the row in the variable in its table's collection? */
export function standsSql(table: TableName, row: string): string {
  const collection = collectionOfTable(table);
  if (collection === undefined) return 'false';
  const conditions = Object.entries(collections[collection].where).map(
    ([column, value]) => `${row}.${columnName(column)} = ${quoted(value)}`,
  );
  return conditions.length === 0 ? 'true' : conditions.join(' and ');
}

/**
 * Did the row change in the columns of its collection? A change that only its own people see must not poke every
 * reader.
 */
export function shownChangeSql(table: TableName): string {
  const collection = collectionOfTable(table);
  if (collection === undefined) return 'false';
  const columns = [...new Set([...collectionColumns(collection), ...Object.keys(collections[collection].where)])].map(
    columnName,
  );
  const of = (row: string) => `(${columns.map((column) => `${row}.${column}`).join(', ')})`;
  return `${of('latter')} is distinct from ${of('former')}`;
}

/** The column with the town of a row whose collection is cut by regions. */
export function townColumnOf(table: TableName): string | undefined {
  const collection = collectionOfTable(table);
  const town = collection && (collections[collection] as CollectionDefinition).townColumn;
  return town && columnName(town);
}

/** The region of the row in the variable; '' where it is not known. */
export const regionSql = (row: string, town: string) =>
  `coalesce((select town.region from public.reference town where town.id = ${row}.${town}), '')`;

/** Adds a region to those in which the row has left a place. */
export const leftSql = (region: string) =>
  `case when ${region} = any(change.shelf_left) then change.shelf_left else array_append(change.shelf_left, ${region}) end`;
