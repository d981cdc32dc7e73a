import { day } from '../../../shared/lib/durations.ts';
import { tables, type RowOf, type TableName, type User } from '../../../shared/tables/index.ts';
import type { SyncTx } from '../../store/sync-store.ts';
import { positionOf } from './memory-changes.ts';
import { sqlError, type MemoryEngine, type MemoryTx } from './memory-engine.ts';
import { audienceIn, maskedFor, type Row } from './memory-tables.ts';

type RowCalls = Pick<
  SyncTx,
  | 'findPeople'
  | 'lockPerson'
  | 'lockRows'
  | 'existingIds'
  | 'readReferences'
  | 'visibleRows'
  | 'insertRows'
  | 'updateRows'
  | 'countLatelyPosted'
  | 'nextPostAt'
>;

const lockOf = (table: string, id: unknown) => `${table}/${String(id)}`;
const byId = (one: Row, other: Row) => (String(one['id']) < String(other['id']) ? -1 : 1);
/** A copy as it comes out of a database: dates as text, and nothing that is undefined. */
const copyOf = (row: object) => JSON.parse(JSON.stringify(row)) as Row;

/** Those of the keys that exist. */
export function rowsAt(tx: MemoryTx, table: string, keys: readonly string[]): Row[] {
  return keys.map((key) => tx.get(table, key)).filter((row) => row !== undefined);
}

/** Rows for update, in order of id, as they are once the lock is had. */
async function holdRows(tx: MemoryTx, table: string, fits: (row: Row) => boolean): Promise<Row[]> {
  const found: Row[] = [];
  for (const { id } of tx.all(table).filter(fits).toSorted(byId)) {
    await tx.hold(lockOf(table, id));
    const now = tx.get(table, String(id));
    if (now !== undefined && fits(now)) found.push(now);
  }
  return found;
}

/** What PostgreSQL cannot hold (SQLSTATE class 22). */
function mustBeHoldable(row: Row): void {
  if (JSON.stringify(row).includes('\\u0000')) throw sqlError('22P05', 'a text with a NUL');
}

const uniqueOf = (table: TableName) => tables[table].unique as readonly (readonly string[])[];

async function insertRow(tx: MemoryTx, table: TableName, row: Row): Promise<void> {
  mustBeHoldable(row);
  const id = String(row['id']);
  await tx.hold(lockOf(table, id));
  for (const columns of uniqueOf(table))
    await tx.hold(`${table}:${columns.map((column) => String(row[column])).join()}`);
  const isTaken =
    tx.get(table, id) !== undefined ||
    uniqueOf(table).some((columns) =>
      tx.all(table).some((other) => columns.every((column) => other[column] === row[column])),
    );
  if (isTaken) throw sqlError('23505', 'the id or a unique key is taken');
  tx.put(table, id, row);
}

/** Rows of the synced tables in memory. They are shared with what was committed: never changed in place. */
export function memoryRows(tx: MemoryTx, { clock }: MemoryEngine, mayHold: (row: Row) => void): RowCalls {
  const lately = (userId: string) => {
    const since = new Date(clock().getTime() - day).toISOString();
    return tx
      .all('jobs')
      .filter((row) => row['userId'] === userId && String(row['createdAt']) > since)
      .map((row) => String(row['createdAt']))
      .toSorted();
  };

  return {
    findPeople: async (userIds) => rowsAt(tx, 'users', userIds) as User[],
    lockPerson: async (userId) => {
      const [person] = await holdRows(tx, 'users', (row) => row['id'] === userId);
      if (person === undefined) return undefined;
      const { timeline, head } = positionOf(tx);
      const restoredAt = (tx.get('sync_timeline', timeline)?.['began_at'] as Date | undefined) ?? null;
      return { person: person as User, timeline, head, restoredAt, isMoved: false };
    },
    lockRows: async (table, where) =>
      (await holdRows(tx, table, (row) =>
        Object.entries(where as Record<string, readonly unknown[]>).every(([column, ids]) => ids.includes(row[column])),
      )) as RowOf<typeof table>[],
    existingIds: async (table, ids) => new Set(ids.filter((id) => tx.get(table, id) !== undefined)),
    readReferences: async () =>
      new Set(tx.all('reference').map((row) => `${String(row['kind'])}:${String(row['id'])}`)),
    visibleRows: async (table, ids, userId) => {
      const rows = rowsAt(tx, table, ids).filter((row) => audienceIn(tx, table, row).includes(userId));
      return rows.map((row) => maskedFor(userId, table, row)).toSorted(byId) as RowOf<typeof table>[];
    },
    insertRows: async (table, rows) => {
      for (const row of rows.map(copyOf)) {
        mayHold(row);
        await insertRow(tx, table, row);
      }
    },
    updateRows: async (table, columns, rows) => {
      if (columns.length === 0) return;
      for (const row of rows.map(copyOf).toSorted(byId)) {
        await tx.hold(lockOf(table, row['id']));
        const was = tx.get(table, String(row['id']));
        if (was === undefined) throw new Error(`${table}: a row to update is not there`);
        const changes = Object.fromEntries(columns.map((column) => [column, row[column]]));
        mustBeHoldable(changes);
        tx.put(table, String(row['id']), { ...was, ...changes });
      }
    },
    countLatelyPosted: async (userId) => lately(userId).length,
    nextPostAt: async (userId, jobsPerDay) => {
      const posted = lately(userId);
      const from = posted.at(-jobsPerDay) ?? posted[0] ?? clock();
      return new Date(new Date(from).getTime() + day);
    },
  };
}
