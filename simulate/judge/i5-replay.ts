import { actorOf, type Actor } from '../../shared/actor.ts';
import { Refusal } from '../../shared/mutations/refusal.ts';
import { runMutation } from '../../shared/mutations/run-mutation.ts';
import { deskTableNames, type User } from '../../shared/tables/index.ts';
import { emptyMemoryRows, memoryTx, type MemoryRows } from '../../shared/testing/memory-tx.ts';
import type { Row } from '../server/memory-tables.ts';
import type { Room } from './room.ts';
import { asText, restored, type Sighting } from './sighting.ts';
import { must } from './violation.ts';

type Loose = Map<string, Row>;
const loose = (rows: MemoryRows, table: keyof MemoryRows) => rows[table] as unknown as Loose;

const stranger = (id: string): Actor => ({ id, tradieId: null, subscriptionStatus: null, subscriptionValidUntil: null });

/** I5: the tables are what the server last said, and every waiting mutation run over it in order, worked out anew. */
export async function i5Replay(room: Room, now: Sighting): Promise<void> {
  if (now.outbox.length === 0 && now.shadow.length === 0) return;
  let rows = emptyMemoryRows();
  const told = restored(now);
  for (const table of deskTableNames) for (const row of told[table]) loose(rows, table).set(String(row['id']), row);
  const person = rows.users.get(room.userId) as User | undefined;
  // Time alone refuses nothing on a device (C12).
  const actor = person === undefined ? stranger(room.userId) : { ...actorOf(person), subscriptionValidUntil: null };
  for (const { name, args, at, base } of now.outbox) {
    const before = copyOf(rows);
    const lent = base.filter(({ table, row }) => !loose(rows, table).has(String((row as Row)['id'])));
    for (const { table, row } of lent) loose(rows, table).set(String((row as Row)['id']), row as Row);
    try {
      await runMutation(memoryTx(rows), name, args, { actor, now: at });
      // A shelf's row that was only looked at stays on its shelf.
      for (const { table, row } of lent) if (loose(rows, table).get(String((row as Row)['id'])) === row) loose(rows, table).delete(String((row as Row)['id']));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      rows = before;
    }
  }
  for (const table of deskTableNames) {
    const expected = new Map(Array.from(loose(rows, table), ([id, row]) => [id, asText(row)]));
    for (const row of now.desk[table]) {
      const id = String(row['id']);
      const wanted = expected.get(id);
      expected.delete(id);
      must(wanted === asText(row), 'I5', room.key, () => `${table} ${id} is ${JSON.stringify(row)}, replayed it is ${wanted ?? 'not there'}`);
    }
    must(expected.size === 0, 'I5', room.key, () => `${table} lacks ${[...expected.keys()].join()}`);
  }
}

const copyOf = (rows: MemoryRows) => Object.fromEntries(deskTableNames.map((table) => [table, new Map(loose(rows, table))])) as unknown as MemoryRows;