import type { PrivateTableName } from '../../shared/tables/index.ts';
import type { MemoryRows } from '../../shared/testing/memory-tx.ts';

/** A row of any table, for code that treats all tables alike. */
export type LooseRow = { id: string } & Record<string, unknown>;

export const looseRows = (rows: MemoryRows, table: PrivateTableName) => rows[table] as unknown as Map<string, LooseRow>;
