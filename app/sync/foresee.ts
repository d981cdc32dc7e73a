import { Dexie } from 'dexie';
import { actorOnDevice } from '../../shared/actor.ts';
import { runMutation } from '../../shared/mutations/run-mutation.ts';
import type { PrivateTableName } from '../../shared/tables/index.ts';
import type { OutboxEntry, PersonDb } from '../db/person-db.ts';
import type { Early, PrivateRows, Written } from '../db/private-rows.ts';
import { correctedBy } from './corrected-now.ts';
import { createWriteSet, rowsInMemory } from './dexie-tx.ts';

/** A mutation that a person asked for, before it has run. */
export interface Intent {
  readonly uid: string;
  readonly name: OutboxEntry['name'];
  readonly args: unknown;
  readonly base: OutboxEntry['base'];
  /** The tap's instant by this device's clock, in milliseconds: what is written says the same as what is shown. */
  readonly tappedAt: number;
}

export interface Foreseen {
  /** To be shown in the state "saving" until the transaction is complete that makes it durable. */
  readonly early: readonly Early[];
  /**
   * Writes the same to the disk, inside a transaction of `mutate` and without a read before it: a person waits, and
   * each read costs a trip to the browser's own process. Rejects with `Overtaken` where memory lacked a commit.
   * Undefined where it lacks one surely.
   */
  readonly write: ((state: 'new' | 'sent') => Promise<void>) | undefined;
}

/**
 * What the mutation will do, as far as memory tells. Undefined where it does not, or where the answer seems to be no:
 * that is said by the transaction alone.
 */
export async function foresee(
  { db, userId }: { readonly db: PersonDb; readonly userId: string },
  { tappedAt, ...queued }: Intent,
  /** The uid of a rejected mutation that it replaces. */
  dropRejected: string | undefined,
): Promise<Foreseen | undefined> {
  const { rows } = db;
  if (rows.at() === undefined) return undefined;
  const at = isWriting(db) ? undefined : rows.settledAt();
  const draft = createWriteSet(db, rowsInMemory(rows, 'shown'));
  const now = correctedBy(rows.shown.meta.get('serverTimeOffset')?.value, tappedAt);
  const actor = actorOnDevice(userId, rows.shown.users.get(userId));
  try {
    await draft.attempt(queued.base, (tx) => runMutation(tx, queued.name, queued.args, { actor, now }));
  } catch {
    return undefined;
  }
  const changes = draft.kept().flatMap((write) => [...serverRowOf(rows, write), write]);
  const entry = { ...queued, at: now, attempts: 0, lastError: null };
  const write = async (state: 'new' | 'sent') =>
    db.commits.put(Dexie.currentTransaction.idbtrans, at!, [
      ...changes,
      { store: 'outbox', row: { ...entry, state, attempts: state === 'sent' ? 1 : 0 } },
    ]);
  return {
    early: [
      // An answer may take away the server row that is there, and the row would pass for the server's until this is
      // written.
      ...draft.kept().flatMap(({ store, key }) => {
        const name = `${store},${key}`;
        const row = rows.shown.shadow.get(name);
        return row === undefined ? [] : [{ store: 'shadow' as const, key: name, row }];
      }),
      ...changes,
      {
        store: 'outbox',
        key: queued.uid,
        row: { ...entry, seq: Number.MAX_SAFE_INTEGER, state: 'saving' } satisfies OutboxEntry,
      },
      ...(dropRejected === undefined ? [] : [{ store: 'refused' as const, key: dropRejected, row: undefined }]),
    ],
    // What came while it was worked out may not be in it.
    write: at !== undefined && at === rows.settledAt() ? write : undefined,
  };
}

/** Another transaction of this tab will have written when the next one begins. */
const isWriting = ({ underWay }: PersonDb) =>
  [...underWay].some((transaction) => (transaction as IDBTransaction).mode === 'readwrite');

/** What the server last said of a row, where no other waiting mutation has touched it. */
function serverRowOf({ shown }: PrivateRows, { store, key }: Early): Written[] {
  const table = store as PrivateTableName;
  const name = `${table},${key}`;
  if (shown.shadow.has(name)) return [];
  return [{ store: 'shadow', key: name, row: { table, id: key, row: shown[table].get(key) ?? null } }];
}
