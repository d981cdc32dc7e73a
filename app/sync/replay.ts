import { actorOnDevice } from '../../shared/actor.ts';
import { currentValues } from '../../shared/mutations/edit.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { runMutation } from '../../shared/mutations/run-mutation.ts';
import { privateTableNames, type PrivateTableName } from '../../shared/tables/index.ts';
import type { PersonDb } from '../db/person-db.ts';
import { isStorageError } from '../db/storage-errors.ts';
import { createWriteSet } from './dexie-tx.ts';

/*
 * Tables hold what the person sees: what the server last said, and every waiting mutation run over it (I5).
 * Both halves belong in ONE rw transaction over `writeSetStores` and `outbox`, or a write vanishes and comes back
 * (I10).
 */

/**
 * Restores what the server last said of every row that a waiting mutation has touched. `isOverwritten`: rows that the
 * caller writes in the same transaction, so that what they were before need not be written first.
 */
export async function restoreServerRows(
  db: PersonDb,
  isOverwritten: (table: PrivateTableName, id: string) => boolean = () => false,
): Promise<void> {
  const serverRows = await db.shadow.toArray();
  if (serverRows.length === 0) return;
  for (const table of privateTableNames) {
    const own = serverRows.filter((serverRow) => serverRow.table === table && !isOverwritten(table, serverRow.id));
    await db.table(table).bulkDelete(own.filter(({ row }) => row === null).map(({ id }) => id));
    await db.table(table).bulkPut(own.filter(({ row }) => row !== null).map(({ row }) => row));
  }
  await db.shadow.clear();
}

const isStale = (error: unknown): error is Rejection => error instanceof Rejection && error.code === 'stale';

/** An edit's args, built on what is there now in the fields that were stale. */
const rebased = (args: unknown, { code, fields }: Rejection): unknown => {
  const { base, ...rest } = args as { base: object };
  return { ...rest, base: { ...base, ...currentValues({ code, fields: fields ?? null }) } };
};

export interface ReplayPorts {
  db: PersonDb;
  userId: string;
}

/**
 * Runs what still waits, in the order it was made. One that is rejected here and now stays queued without effect: the
 * server decides. So does one whose file is nowhere any more.
 * Gives the uids of those that failed through a bug, for the log.
 */
export async function replayOutbox({ db, userId }: ReplayPorts): Promise<string[]> {
  const entries = await db.outbox.orderBy('seq').toArray();
  if (entries.length === 0) return [];
  const actor = actorOnDevice(userId, await db.users.get(userId));
  const draft = createWriteSet(db);
  const failedUids: string[] = [];
  for (const { uid, name, args, at, base, from } of entries) {
    if (from?.fileGone === true) continue;
    const run = (these: unknown) => draft.attempt(base, (tx) => runMutation(tx, name, these, { actor, now: at }));
    try {
      await run(args).catch((error: unknown) => {
        if (from?.version === undefined || !isStale(error)) throw error;
        // It had been applied, and what it was built on is on another phone: the person goes on seeing what they wrote
        // (C16).
        return run(rebased(args, error));
      });
    } catch (error) {
      if (isStorageError(error)) throw error;
      if (!(error instanceof Rejection)) failedUids.push(uid);
    }
  }
  await draft.flush();
  return failedUids;
}
