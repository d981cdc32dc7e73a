import { actorOf } from '../../shared/actor.ts';
import { runMutation } from '../../shared/mutations/run-mutation.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { privateTableNames, type PrivateTableName } from '../../shared/tables/index.ts';
import { emptyMemoryRows, memoryTx } from '../../shared/testing/memory-tx.ts';
import type { MetaEntry, OutboxEntry, PersonDb, ServerRow } from '../db/person-db.ts';
import { looseRows, type LooseRow } from './fake-visibility.ts';

/** The rows on a device, read in one transaction. */
export interface OnDevice {
  privateRows: Record<PrivateTableName, LooseRow[]>;
  shadow: ServerRow[];
  outbox: OutboxEntry[];
  refused: string[];
  applied: string[];
  cookie: string | null;
  /** A snapshot is still coming: pages may split what belongs together (I9's exception). */
  isLoading: boolean;
}

export async function readDevice(db: PersonDb): Promise<OnDevice> {
  return db.transaction('r', [...privateTableNames, 'shadow', 'outbox', 'refused', 'meta'], async () => {
    const privateRows = {} as OnDevice['privateRows'];
    for (const table of privateTableNames) privateRows[table] = await db.table<LooseRow>(table).orderBy('id').toArray();
    const meta = new Map((await db.meta.toArray()).map(({ key, value }): [MetaEntry['key'], unknown] => [key, value]));
    return {
      privateRows,
      shadow: await db.shadow.toArray(),
      outbox: await db.outbox.orderBy('seq').toArray(),
      refused: (await db.refused.toCollection().primaryKeys()) as string[],
      applied: ((meta.get('applied') ?? []) as { uid: string }[]).map(({ uid }) => uid),
      cookie: (meta.get('cookie') as string | undefined) ?? null,
      isLoading: meta.has('snapshot') || !meta.has('cookie'),
    };
  });
}

/** I5: what the tables must hold, computed anew: what the server last said, and every waiting mutation replayed over it in order. */
export async function replayed(
  { privateRows, shadow: serverRows, outbox }: OnDevice,
  userId: string,
): Promise<OnDevice['privateRows']> {
  const rows = emptyMemoryRows();
  for (const table of privateTableNames) for (const row of privateRows[table]) looseRows(rows, table).set(row.id, row);
  for (const { table, id, row } of serverRows) {
    if (row === null) looseRows(rows, table).delete(id);
    else looseRows(rows, table).set(id, row as LooseRow);
  }
  const person = rows.users.get(userId);
  const actor =
    person === undefined
      ? { id: userId, tradieId: null, subscriptionStatus: null, subscriptionValidUntil: null }
      : actorOf(person);
  for (const { name, args, at, base } of outbox) {
    const borrowed = base.filter(({ table, row }) => !looseRows(rows, table).has((row as LooseRow).id));
    for (const { table, row } of borrowed) looseRows(rows, table).set((row as LooseRow).id, row as LooseRow);
    try {
      await runMutation(memoryTx(rows), name, args, { actor, now: at });
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
    }
    // A collection's row that was only looked at stays in its collection.
    for (const { table, row } of borrowed) {
      const { id } = row as LooseRow;
      if (looseRows(rows, table).get(id) === row) looseRows(rows, table).delete(id);
    }
  }
  return Object.fromEntries(
    privateTableNames.map((table) => [
      table,
      [...looseRows(rows, table).values()].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    ]),
  ) as OnDevice['privateRows'];
}
