import { Dexie } from 'dexie';
import { actorOnDevice } from '../../shared/actor.ts';
import { currentValues } from '../../shared/mutations/edit.ts';
import { Rejection } from '../../shared/mutations/rejection.ts';
import { runMutation } from '../../shared/mutations/run-mutation.ts';
import type { User } from '../../shared/tables/index.ts';
import type { PersonDb } from '../db/person-db.ts';
import { isStorageError } from '../db/storage-errors.ts';
import { createDraft } from './dexie-tx.ts';
import type { ServerRows } from './server-rows.ts';

/*
 * Tables hold what the person sees: what the server last said (`server-rows.ts`), and every waiting mutation run over
 * it (I5).
 */

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
 * Runs what still waits over the server's rows, in the order it was made, and writes both. One that is rejected here
 * and now stays queued without effect: the server decides. So does one whose file is nowhere any more.
 * Gives the uids of those that failed through a bug, for the log.
 */
export async function replayOutbox({ db, userId }: ReplayPorts, server: ServerRows): Promise<string[]> {
  const entries = await db.outbox.orderBy('seq').toArray();
  const draft = createDraft(server.rows);
  const failedUids: string[] = [];
  const person = entries.length === 0 ? undefined : await server.rows.get('users', userId);
  const actor = actorOnDevice(userId, person as User | undefined);
  for (const { uid, name, args, at, base, from } of entries) {
    if (from?.fileGone === true) continue;
    // Dexie follows a transaction through a hundred awaits that ask the disk for nothing.
    await Dexie.Promise.resolve();
    const run = (these: unknown) => draft.attempt(base, (tx) => runMutation(tx, name, these, { actor, now: at }));
    try {
      await run(args).catch((error: unknown) => {
        if (from?.version === undefined || !isStale(error)) throw error;
        // The mutation had been applied, and what it was built on is on another phone: the person goes on seeing what
        // they wrote (C16).
        return run(rebased(args, error));
      });
    } catch (error) {
      if (isStorageError(error)) throw error;
      if (!(error instanceof Rejection)) failedUids.push(uid);
    }
  }
  await server.write(draft.kept());
  return failedUids;
}
