import type * as z from 'zod/mini';

/**
 * Who may see a private row, as data, so that the server can turn it into SQL and a test into a look-up:
 * the person named in a column of the row itself, or in a column of the rows of another table that point at it.
 */
export type AudiencePath =
  | { readonly column: string }
  | { readonly through: string; readonly match: string; readonly column: string };

export interface TableDefinition<Name extends string, Row extends { id: string }> {
  readonly name: Name;
  /** The row on the wire and on the device. Instants are ISO strings, money is a number of dollars. */
  readonly row: z.ZodMiniType<Row>;
  readonly columns: readonly (keyof Row & string)[];
  /** Dexie indexes, beside the primary key `id`. */
  readonly indexes: readonly string[];
  /** Column sets that name one row at most; what `tx.<table>.find` may ask by. */
  readonly unique: readonly (readonly (keyof Row & string)[])[];
  readonly audience: readonly AudiencePath[];
  /** Columns that only the person named in another column may see; null in everyone else's copy. */
  readonly onlyFor: { readonly [Column in keyof Row & string]?: keyof Row & string };
  /** Columns that name an entry of the reference list, by its kind. The server rejects names that are not there. */
  readonly references: { readonly [Column in keyof Row & string]?: 'category' | 'location' };
}

interface TableOptions<Row> {
  indexes?: readonly string[];
  unique?: readonly (readonly (keyof Row & string)[])[];
  audience?: readonly AudiencePath[];
  onlyFor?: { readonly [Column in keyof Row & string]?: keyof Row & string };
  references?: { readonly [Column in keyof Row & string]?: 'category' | 'location' };
}

/**
 * One table: its rows, who may see each, and what points where. Everything else about the table is derived from this.
 */
export function defineTable<Name extends string, Row extends { id: string }>(
  name: Name,
  row: z.ZodMiniType<Row> & { shape: object },
  options: TableOptions<Row> = {},
): TableDefinition<Name, Row> {
  return {
    name,
    row,
    columns: Object.keys(row.shape) as (keyof Row & string)[],
    indexes: options.indexes ?? [],
    unique: options.unique ?? [],
    audience: options.audience ?? [],
    onlyFor: options.onlyFor ?? {},
    references: options.references ?? {},
  };
}
