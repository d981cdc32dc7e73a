import { copyRow } from '../../shared/lib/copy-row.ts';
import type { TableTx, Tx } from '../../shared/mutations/tx.ts';
import { privateTableNames, privateTables, type PrivateTableName } from '../../shared/tables/index.ts';
import type { OutboxEntry, PersonDb, ServerRow } from '../db/person-db.ts';
import type { PrivateRows, Written } from '../db/private-rows.ts';
import { createRowTable, type RowTable } from '../db/row-table.ts';

/*
 * The private tables as mutations see them on the device. Bodies write into a write set; what a body wrote before it
 * rejected is discarded, which IndexedDB, having no savepoints, could not do. `flush` writes the whole set, server rows
 * first, inside the Dexie transaction the set was created in.
 */

export type Row = { id: string } & Record<string, unknown>;
type Drafted = Record<PrivateTableName, RowTable<Row>>;

export interface Draft {
  /**
   * Runs one mutation body. What it wrote is kept if it resolves and discarded if it throws.
   * `base`: rows that are in a collection and not in the private tables; one that is written to is adopted (its server
   * row is null).
   */
  attempt<T>(base: OutboxEntry['base'], body: (tx: Tx) => Promise<T>): Promise<T>;
  /** What is kept and not flushed. */
  kept(): Written[];
}

export interface WriteSet extends Draft {
  /** Writes everything: what the server last said into the store `shadow`, where it is not there yet, then the rows. */
  flush(): Promise<void>;
}

/** The stores `flush` needs in its transaction. */
export const writeSetStores = [...privateTableNames, 'shadow'] as const;

const nothingDrafted = () =>
  Object.fromEntries(
    privateTableNames.map((name) => [name, createRowTable(privateTables[name].unique)]),
  ) as unknown as Drafted;
const clone = <T extends object>(row: T | undefined): T | undefined => (row === undefined ? undefined : copyRow(row));

/** What mutations write, kept over these rows. */
export const createDraft = (stored: RowReader): Draft => draftOver(stored, nothingDrafted());

function draftOver(stored: RowReader, kept: Drafted): Draft {
  return {
    attempt: async (base, body) => {
      const trial = nothingDrafted();
      const layers = { trial, kept, base, stored };
      const tx = Object.fromEntries(privateTableNames.map((name) => [name, draftTable(name, layers)])) as unknown as Tx;
      const result = await body(tx);
      for (const name of privateTableNames) for (const [id, row] of trial[name].rows) kept[name].set(id, row);
      return result;
    },
    kept: () =>
      privateTableNames.flatMap((store) =>
        Array.from(kept[store].rows.values(), (row) => ({ store, key: row.id, row })),
      ),
  };
}

/** Over the disk: inside a rw transaction over `writeSetStores`, and good for that transaction only. */
export function createWriteSet(db: PersonDb, stored: Stored = rememberStored(db)): WriteSet {
  const kept = nothingDrafted();
  return {
    ...draftOver(stored, kept),
    flush: async () => {
      await Promise.all(
        privateTableNames.map(async (name) => {
          const rows = [...kept[name].rows.values()];
          if (rows.length === 0) return;
          const serverRows = await missingServerRows(
            stored,
            name,
            rows.map((row) => row.id),
          );
          // Both requests run at the same time: they succeed or fail with the transaction.
          await Promise.all([
            serverRows.length > 0 && db.shadow.bulkAdd(serverRows),
            db.table<Row>(name).bulkPut(rows),
          ]);
          kept[name].clear();
        }),
      );
      stored.forget();
    },
  };
}

/**
 * Over memory. `shown`: to show what a mutation will do before the disk has been asked; never flushed. `stored`: inside
 * a transaction in which memory was found to be what the disk holds, until the first flush.
 */
export function rowsInMemory(rows: PrivateRows, of: 'shown' | 'stored'): Stored {
  return {
    get: async (table, id) => rows[of][table].get(id) as Row | undefined,
    first: async (table, columns, values) => rows.find(of, table, columns, values) as Row | undefined,
    withServerRow: async (table, ids) => ids.map((id) => rows[of].shadow.has(`${table},${id}`)),
    forget: () => undefined,
  };
}

/** What mutations read. */
export interface RowReader {
  get(table: PrivateTableName, id: string): Promise<Row | undefined>;
  first(table: PrivateTableName, columns: readonly string[], values: readonly string[]): Promise<Row | undefined>;
}

/** The stored rows, each read once: nothing else writes into the stores while the write set's transaction lasts. */
export interface Stored extends RowReader {
  /** Tells of each id whether what the server last said of that row is kept already. */
  withServerRow(table: PrivateTableName, ids: readonly string[]): Promise<boolean[]>;
  forget(): void;
}

export function rememberStored(db: PersonDb): Stored {
  const asked = new Map<string, Promise<Row | undefined>>();
  const once = (key: readonly unknown[], ask: () => PromiseLike<Row | undefined>) => {
    const name = JSON.stringify(key);
    const answer = asked.get(name) ?? Promise.resolve(ask());
    asked.set(name, answer);
    return answer;
  };
  return {
    get: (table, id) => once([table, id], () => db.table<Row, string>(table).get(id)),
    first: (table, columns, values) =>
      once([table, columns, values], () =>
        db
          .table<Row, string>(table)
          .where(`[${columns.join('+')}]`)
          .equals([...values])
          .first(),
      ),
    withServerRow: async (table, ids) => {
      const kept = await db.shadow.bulkGet(ids.map((id) => [table, id] as [PrivateTableName, string]));
      return kept.map((serverRow) => serverRow !== undefined);
    },
    forget: () => asked.clear(),
  };
}

async function missingServerRows(stored: Stored, table: PrivateTableName, ids: string[]): Promise<ServerRow[]> {
  const [isKept, rows] = await Promise.all([
    stored.withServerRow(table, ids),
    Promise.all(ids.map((id) => stored.get(table, id))),
  ]);
  return ids.flatMap((id, at): ServerRow[] => (isKept[at] === true ? [] : [{ table, id, row: rows[at] ?? null }]));
}

interface Layers {
  trial: Drafted;
  kept: Drafted;
  base: OutboxEntry['base'];
  stored: RowReader;
}

function draftTable(name: PrivateTableName, { trial, kept, base, stored }: Layers): TableTx<Row> {
  const unique = privateTables[name].unique as readonly (readonly string[])[];

  const drafted = (id: string) => trial[name].rows.get(id) ?? kept[name].rows.get(id);
  const read = async (id: string) =>
    drafted(id) ??
    (await stored.get(name, id)) ??
    (base.find((at) => at.table === name && (at.row as Row).id === id)?.row as Row | undefined);

  async function find(where: Partial<Row>): Promise<Row | undefined> {
    const columns = unique.find((key) => key.toSorted().join() === Object.keys(where).toSorted().join());
    if (columns === undefined) throw new Error(`${name} has no unique key ${Object.keys(where).join()}`);
    const values = columns.map((column) => where[column]);
    for (const rows of [trial[name], kept[name]]) {
      const row = rows.find(columns, values);
      if (row !== undefined && drafted(row.id) === row) return row;
    }
    const found = await stored.first(name, columns, values as string[]);
    return found === undefined || drafted(found.id) !== undefined ? undefined : found;
  }

  return {
    get: async (id) => clone(await read(id)),
    find: async (where) => clone(await find(where)),
    insert: async (row) => {
      if ((await read(row.id)) !== undefined) throw new Error(`${name} has a row ${row.id} already`);
      for (const columns of unique) {
        const same = await find(Object.fromEntries(columns.map((column) => [column, row[column]])) as Partial<Row>);
        if (same !== undefined) throw new Error(`${name} has a row with the same key already`);
      }
      trial[name].set(row.id, copyRow(row));
    },
    update: async (id, changes) => {
      const row = await read(id);
      if (row === undefined) throw new Error(`${name} has no row ${id}`);
      trial[name].set(id, copyRow({ ...row, ...changes }));
    },
  };
}
