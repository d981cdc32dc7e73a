import { same } from '../../shared/mutations/edit.ts';
import { privateTableNames, privateTables, type PrivateTableName } from '../../shared/tables/index.ts';
import { lastCommit } from '../db/note-commits.ts';
import type { PersonDb, ServerRow } from '../db/person-db.ts';
import type { Early } from '../db/private-rows.ts';
import { createRowTable, type RowTable } from '../db/row-table.ts';
import { rememberStored, rowsInMemory, type Row, type RowReader } from './dexie-tx.ts';

/** One row as an answer has it; gone where `row` is undefined. */
export type Change = { table: PrivateTableName; id: string; row: unknown };

/**
 * The private tables without what waits: what the server last said of each row, with what it says now over it. Nothing
 * is written before `write`, which writes only what differs: five thousand waiting mutations that an answer leaves
 * alone cost it no write.
 */
export interface ServerRows {
  /** What mutations are replayed over. */
  readonly rows: RowReader;
  /** What the server says now. */
  put(changes: readonly Change[]): void;
  /** Rows that are not in `keep` leave; gives them as they were. */
  sweep(keep: Partial<Record<PrivateTableName, readonly string[]>>): Promise<Change[]>;
  /** Writes the rows with `pending`, what the replayed mutations wrote, over them. */
  write(pending: readonly Early[]): Promise<void>;
}

interface Table {
  /** Of these ids the server's row is known: in `rows`, or there is none. */
  readonly ids: Set<string>;
  readonly rows: RowTable<Row>;
  /** As the store `shadow` has it. */
  readonly serverRows: Map<string, ServerRow>;
}

/**
 * Inside ONE rw transaction over `writeSetStores` and `meta`, with everything until `write`, or a write vanishes and
 * comes back (I10).
 */
export async function readServerRows(db: PersonDb): Promise<ServerRows> {
  // One read tells whether memory has what the disk has.
  const isKnown = (await lastCommit(db.meta)) === db.rows.at();
  const onDisk = isKnown ? rowsInMemory(db.rows, 'stored') : rememberStored(db);
  const tables = Object.fromEntries(
    privateTableNames.map((name) => [
      name,
      { ids: new Set(), rows: createRowTable(privateTables[name].unique), serverRows: new Map() },
    ]),
  ) as unknown as Record<PrivateTableName, Table>;
  const say = (name: PrivateTableName, id: string, row: Row | undefined) => {
    tables[name].ids.add(id);
    tables[name].rows.set(id, row);
  };
  for (const serverRow of isKnown ? db.rows.stored.shadow.values() : await db.shadow.toArray()) {
    tables[serverRow.table].serverRows.set(serverRow.id, serverRow);
    say(serverRow.table, serverRow.id, (serverRow.row ?? undefined) as Row | undefined);
  }

  const readMany = async (name: PrivateTableName, ids: string[]): Promise<(Row | undefined)[]> =>
    isKnown ? ids.map((id) => db.rows.stored[name].get(id) as Row | undefined) : db.table<Row>(name).bulkGet(ids);

  async function writeTable(
    name: PrivateTableName,
    pending: ReadonlyMap<string, Row>,
    isStoreEmpty: boolean,
  ): Promise<void> {
    const { ids, rows, serverRows } = tables[name];
    const touched = [...new Set([...ids, ...pending.keys()])];
    // A row that came from the server and that nothing waiting is about is written unread.
    const compared = touched.filter((id) => pending.has(id) || serverRows.has(id));
    const found = await readMany(name, compared);
    const before = new Map(compared.map((id, at) => [id, found[at]]));
    const puts: Row[] = [];
    const leaving: string[] = [];
    const newServerRows: ServerRow[] = [];
    for (const id of touched) {
      const server = ids.has(id) ? rows.rows.get(id) : before.get(id);
      const row = pending.get(id) ?? server;
      if (row === undefined) leaving.push(id);
      else if (!before.has(id) || !same(before.get(id), row)) puts.push(row);
      if (!pending.has(id)) continue;
      const serverRow: ServerRow = { table: name, id, row: server ?? null };
      if (!serverRows.has(id) || !same(serverRows.get(id), serverRow)) newServerRows.push(serverRow);
    }
    const oldServerRows = isStoreEmpty ? [] : [...serverRows.keys()].filter((id) => !pending.has(id));
    // Rows that leave are deleted first: a row that comes may have the unique key of one.
    await db.table(name).bulkDelete(leaving);
    await Promise.all([
      db.table(name).bulkPut(puts),
      db.shadow.bulkPut(newServerRows),
      db.shadow.bulkDelete(oldServerRows.map((id): [PrivateTableName, string] => [name, id])),
    ]);
  }

  return {
    rows: {
      get: async (name, id) => (tables[name].ids.has(id) ? tables[name].rows.rows.get(id) : onDisk.get(name, id)),
      first: async (name, columns, values) => {
        const said = tables[name].rows.find(columns, values);
        if (said !== undefined) return said;
        const found = await onDisk.first(name, columns, values);
        return found === undefined || tables[name].ids.has(found.id) ? undefined : found;
      },
    },
    put: (changes) => {
      for (const { table, id, row } of changes) say(table, id, row as Row | undefined);
    },
    sweep: async (keep) => {
      const swept: Change[] = [];
      for (const name of privateTableNames) {
        const { ids, rows } = tables[name];
        const kept = new Set(keep[name]);
        const stored = (await db.table(name).toCollection().primaryKeys()) as string[];
        const all = new Set([...stored.filter((id) => !ids.has(id)), ...rows.rows.keys()]);
        const leaving = [...all].filter((id) => !kept.has(id));
        const unsaid = leaving.filter((id) => !ids.has(id));
        const found = await db.table(name).bulkGet(unsaid);
        const read = new Map(unsaid.map((id, at) => [id, found[at] as unknown]));
        for (const id of leaving) {
          swept.push({ table: name, id, row: ids.has(id) ? rows.rows.get(id) : read.get(id) });
          say(name, id, undefined);
        }
      }
      return swept;
    },
    write: async (pending) => {
      // No mutation waits any more as a rule: then it is one request, and not one for each row.
      if (pending.length === 0 && privateTableNames.some((name) => tables[name].serverRows.size > 0))
        await db.shadow.clear();
      for (const name of privateTableNames) {
        const own = pending.filter(({ store }) => store === name);
        await writeTable(name, new Map(own.map(({ key, row }) => [key, row as Row])), pending.length === 0);
      }
    },
  };
}
