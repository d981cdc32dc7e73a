import type { PrivateTableName, RowOf } from '../tables/index.ts';

/** The verbs a mutation's body may use on one table. The same body runs over memory, Dexie and PostgreSQL. */
export interface TableTx<Row extends { id: string }> {
  get(id: string): Promise<Row | undefined>;
  /** Finds a row by one of the table's declared `unique` column sets. */
  find(where: Partial<Row>): Promise<Row | undefined>;
  insert(row: Row): Promise<void>;
  /** Changes some columns of a row that is there. */
  update(id: string, changes: Partial<Omit<Row, 'id'>>): Promise<void>;
}

/** One transaction over the private tables. A body awaits nothing else: a Dexie transaction dies on any other await. */
export type Tx = { readonly [Name in PrivateTableName]: TableTx<RowOf<Name>> };
