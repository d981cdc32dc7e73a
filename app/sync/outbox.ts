import { madeRowOf, targetOf } from '../../shared/mutations/run-mutation.ts';
import { withConnection } from '../db/connection.ts';
import type { OutboxEntry, PersonDb } from '../db/person-db.ts';
import { writeSetStores } from './dexie-tx.ts';
import { mutate, type MutatePorts } from './mutate.ts';
import { isLeaving } from './pack-request.ts';
import { replayOutbox, type ReplayPorts } from './replay.ts';
import { readServerRows } from './server-rows.ts';

export type Cancelled =
  /** Cancelled, with what depended on it (the edits of a job that was never sent). */
  | { kind: 'cancelled'; uids: string[] }
  /** An attempt may have reached the server: its outcome decides (C7). */
  | { kind: 'already-sent' }
  | { kind: 'gone' };

/**
 * Cancels a mutation that was never sent, in one transaction: it leaves the outbox and its effect leaves the private
 * tables.
 */
export async function cancel(ports: ReplayPorts, uid: string): Promise<Cancelled> {
  const { db } = ports;
  return withConnection(db, () =>
    db.transaction('rw', [...writeSetStores, 'outbox', 'photos', 'meta'], async (): Promise<Cancelled> => {
      const entry = await db.outbox.get({ uid });
      if (entry === undefined) return { kind: 'gone' };
      if (entry.state !== 'new' || (await isLeaving(db, entry.seq))) return { kind: 'already-sent' };
      const made = madeRowOf(entry);
      const later = made === undefined ? [] : await db.outbox.where('seq').above(entry.seq).toArray();
      const going = [entry, ...later.filter(({ name, args }) => targetOf(name, args)?.id === made)];
      const server = await readServerRows(db);
      await db.outbox.bulkDelete(going.map(({ seq }) => seq));
      if (made !== undefined) await db.photos.where('jobId').equals(made).delete();
      await replayOutbox(ports, server);
      return { kind: 'cancelled', uids: going.map((gone) => gone.uid) };
    }),
  );
}

/**
 * Sends a rejected mutation again as it was, under a new uid; it leaves "Not accepted" in the same transaction. Throws
 * as `mutate`.
 */
export async function retryRejected(ports: MutatePorts, uid: string): Promise<{ uid: string } | undefined> {
  const entry = await ports.db.refused.get(uid);
  if (entry === undefined) return undefined;
  return mutate(ports, entry.name, entry.args as Parameters<typeof mutate>[2], {
    dropRejected: uid,
    base: entry.base ?? [],
  });
}

/** The person has dealt with it. The photos of a job that was never applied are deleted with it. */
export async function discard(db: PersonDb, uid: string): Promise<void> {
  await withConnection(db, () =>
    db.transaction('rw', ['refused', 'photos', 'jobs'], async () => {
      const entry = await db.refused.get(uid);
      if (entry === undefined) return;
      await db.refused.delete(uid);
      const made = madeRowOf(entry);
      if (made !== undefined && (await db.jobs.get(made)) === undefined)
        await db.photos.where('jobId').equals(made).delete();
    }),
  );
}

/** What would be lost with this device's database: for the question before log-out (C10). */
export interface Unsent {
  mutations: OutboxEntry[];
  /** Photos whose bytes are only here. */
  photos: number;
}

/** What the server has not taken, mutations in the order they were made. */
export async function unsentOf(db: PersonDb): Promise<Unsent> {
  // One transaction reads both: between two reads a photo may turn into the mutation that attaches it, and neither
  // would be seen.
  return withConnection(db, () =>
    db.transaction('r', ['outbox', 'photos'], async () => ({
      mutations: await db.outbox.orderBy('seq').toArray(),
      photos: await db.photos.where('state').notEqual('uploaded').count(),
    })),
  );
}
