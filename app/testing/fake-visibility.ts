import { privateTableNames, privateTables, type PrivateTableName } from '../../shared/tables/index.ts';
import type { MemoryRows } from '../../shared/testing/memory-tx.ts';

/*
 * Who may see a private row, read off the table definitions: the oracle that devices are compared with.
 */

export type LooseRow = { id: string } & Record<string, unknown>;

export const looseRows = (rows: MemoryRows, table: PrivateTableName) => rows[table] as unknown as Map<string, LooseRow>;

/** Ids of the people who may see this row. */
export function audienceOf(rows: MemoryRows, table: PrivateTableName, row: LooseRow): Set<string> {
  const people = privateTables[table].audience.flatMap((path) => {
    if (!('through' in path)) return [row[path.column]];
    const links = [...looseRows(rows, path.through as PrivateTableName).values()];
    return links.filter((link) => link[path.match] === row.id).map((link) => link[path.column]);
  });
  return new Set(people.filter((person): person is string => typeof person === 'string'));
}

/** The row as this person may see it: columns that are for another are null. */
export function maskFor(userId: string, table: PrivateTableName, row: LooseRow): LooseRow {
  const masked: LooseRow = { ...row };
  for (const [column, gate] of Object.entries(privateTables[table].onlyFor)) {
    if (row[gate as string] !== userId) masked[column] = null;
  }
  return masked;
}

/** The private rows that this person must have, and no others (I4, I8). */
export function privateRowsOf(rows: MemoryRows, userId: string): Record<PrivateTableName, LooseRow[]> {
  return Object.fromEntries(
    privateTableNames.map((table) => {
      const visible = [...looseRows(rows, table).values()].filter((row) => audienceOf(rows, table, row).has(userId));
      return [
        table,
        visible.map((row) => maskFor(userId, table, row)).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      ];
    }),
  ) as Record<PrivateTableName, LooseRow[]>;
}

/** Rows of other tables whose audience depends on this one: they change hands when it comes, goes or changes. */
export function rowsHangingOn(table: PrivateTableName, row: LooseRow): { table: PrivateTableName; id: string }[] {
  return privateTableNames.flatMap((other) =>
    privateTables[other].audience.flatMap((path) =>
      'through' in path && path.through === table ? [{ table: other, id: String(row[path.match]) }] : [],
    ),
  );
}
