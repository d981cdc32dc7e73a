/** Rows of one store in memory, by their key, and by each of the column sets that are declared unique. */
export interface RowTable<Row extends object = object> {
  readonly rows: ReadonlyMap<string, Row>;
  find(columns: readonly string[], values: readonly unknown[]): Row | undefined;
  set(key: string, row: Row | undefined): void;
  clear(): void;
}

const nameOf = (columns: readonly string[]) => columns.join();
const valuesOf = (columns: readonly string[], row: object) =>
  JSON.stringify(columns.map((column) => (row as Record<string, unknown>)[column]));

export function createRowTable<Row extends object>(unique: readonly (readonly string[])[] = []): RowTable<Row> {
  const rows = new Map<string, Row>();
  const indexes = new Map(unique.map((columns) => [nameOf(columns), { columns, keys: new Map<string, string>() }]));
  return {
    rows,
    find: (columns, values) => rows.get(indexes.get(nameOf(columns))?.keys.get(JSON.stringify(values)) ?? ''),
    set: (key, row) => {
      const before = rows.get(key);
      for (const { columns, keys } of indexes.values()) {
        if (before !== undefined && keys.get(valuesOf(columns, before)) === key) keys.delete(valuesOf(columns, before));
        if (row !== undefined) keys.set(valuesOf(columns, row), key);
      }
      if (row === undefined) rows.delete(key);
      else rows.set(key, row);
    },
    clear: () => {
      rows.clear();
      for (const { keys } of indexes.values()) keys.clear();
    },
  };
}
