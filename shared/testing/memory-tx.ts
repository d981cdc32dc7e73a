import type { TableTx, Tx } from '../mutations/tx.ts';
import { privateTableNames, privateTables, type PrivateTableName, type RowOf } from '../tables/index.ts';

export type MemoryRows = { [Name in PrivateTableName]: Map<string, RowOf<Name>> };

export function emptyMemoryRows(): MemoryRows {
  return Object.fromEntries(privateTableNames.map((name) => [name, new Map()])) as unknown as MemoryRows;
}

type UntypedRow = { id: string } & Record<string, unknown>;

function memoryTable(name: PrivateTableName, rows: Map<string, UntypedRow>): TableTx<UntypedRow> {
  const unique = privateTables[name].unique as readonly (readonly string[])[];
  const clashes = (row: UntypedRow) =>
    unique.some((columns) =>
      [...rows.values()].some(
        (other) => other.id !== row.id && columns.every((column) => other[column] === row[column]),
      ),
    );
  return {
    get: async (id) => {
      const row = rows.get(id);
      return row === undefined ? undefined : structuredCloneRow(row);
    },
    find: async (where) => {
      const asked = Object.keys(where).toSorted().join();
      if (!unique.some((columns) => columns.toSorted().join() === asked)) {
        throw new Error(`${name} has no unique key ${asked}`);
      }
      const found = [...rows.values()].find((row) =>
        Object.entries(where).every(([column, value]) => row[column] === value),
      );
      return found === undefined ? undefined : structuredCloneRow(found);
    },
    insert: async (row) => {
      if (rows.has(row.id)) throw new Error(`${name} has a row ${row.id} already`);
      if (clashes(row)) throw new Error(`${name} has a row with the same key already`);
      rows.set(row.id, structuredCloneRow(row));
    },
    update: async (id, changes) => {
      const row = rows.get(id);
      if (row === undefined) throw new Error(`${name} has no row ${id}`);
      rows.set(id, structuredCloneRow({ ...row, ...changes }));
    },
  };
}

function structuredCloneRow(row: UntypedRow): UntypedRow {
  return JSON.parse(JSON.stringify(row)) as UntypedRow;
}

/** A Tx over maps: the rules without a database. Writes land at once; a caller that wants a roll-back keeps a copy. */
export function memoryTx(rows: MemoryRows): Tx {
  return Object.fromEntries(
    privateTableNames.map((name) => [name, memoryTable(name, rows[name] as unknown as Map<string, UntypedRow>)]),
  ) as unknown as Tx;
}
