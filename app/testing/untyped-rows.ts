import type { PrivateTableName } from '../../shared/tables/index.ts';
import type { MemoryRows } from '../../shared/testing/memory-tx.ts';

/** A row of any table, for code that treats all tables alike. */
export type UntypedRow = { id: string } & Record<string, unknown>;

export const untypedRows = (rows: MemoryRows, table: PrivateTableName) =>
  rows[table] as unknown as Map<string, UntypedRow>;
