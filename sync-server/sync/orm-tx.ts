import { inTurn } from '../../shared/lib/in-turn.ts';
import type { TableTx, Tx } from '../../shared/mutations/tx.ts';
import { privateTableNames, type PrivateTableName } from '../../shared/tables/index.ts';
import type { SyncTx } from '../store/sync-store.ts';
import { createStagedTable, type Staging } from './staged-table.ts';

/** A row that a mutation is about. */
export interface Target {
  table: PrivateTableName;
  id: string;
}

export interface OrmTx {
  readonly tx: Tx;
  /** The mutation was applied: what it wrote counts for the next ones. */
  keep(): void;
  /** The mutation was rejected: what it wrote is discarded. */
  discard(): void;
  /**
   * Writes what was kept, a statement a table and kind. Throws what the database says; nothing of it is forgotten then.
   */
  flush(): Promise<void>;
}

export interface Expected {
  /** Rows that will be read, and perhaps changed. */
  targets: readonly Target[];
  /** Ids that may be read: those in the args, and the actor's own. */
  candidates: readonly string[];
  /** Tables in which rows will be made. */
  makes?: ReadonlySet<PrivateTableName>;
}

/**
 * A unit of work over the store for many mutations in one transaction. Writes are staged in memory and overlaid on what
 * was read, so that 500 mutations cost a handful of round trips. The targets are read and locked at once, in one order,
 * so that two batches about the same rows wait instead of deadlocking; other rows are read on demand.
 */
export async function createOrmTx(store: SyncTx, { targets, candidates, makes = new Set() }: Expected): Promise<OrmTx> {
  // PostgreSQL hands ids out in lower case, whatever case they were sent in.
  const wanted = targets.map(({ table, id }) => ({ table, id: id.toLowerCase() }));
  const mayBeAsked = [...new Set([...candidates.map((id) => id.toLowerCase()), ...wanted.map(({ id }) => id)])];
  const staging: Staging = { store, candidates: mayBeAsked, references: referenceList(store) };
  const tables = privateTableNames.map((name) => createStagedTable(name, staging));
  const idsOf = (name: PrivateTableName) => [
    ...new Set(wanted.filter(({ table }) => table === name).map(({ id }) => id)),
  ];
  await inTurn(
    ...tables.map((table) => table.lock(idsOf(table.name))),
    ...tables.filter(({ name }) => makes.has(name)).map((table) => table.prepare()),
  );
  return {
    tx: Object.fromEntries(
      tables.map(({ name, verbs }): [PrivateTableName, TableTx<never>] => [name, verbs as unknown as TableTx<never>]),
    ) as unknown as Tx,
    keep: () => tables.forEach((table) => table.keep()),
    discard: () => tables.forEach((table) => table.discard()),
    // The tables are written in the order of the list, where a table comes after those it points at.
    flush: async () => {
      await inTurn(...tables.map((table) => table.flush()));
      for (const table of tables) table.settle();
    },
  };
}

/** The reference list's ids by kind, read once a transaction and only where a mutation names one. */
function referenceList(store: SyncTx): () => Promise<ReadonlySet<string>> {
  let reading: Promise<ReadonlySet<string>> | undefined;
  return () => (reading ??= store.readReferences());
}
