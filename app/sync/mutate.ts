import { Dexie } from 'dexie';
import { actorOnDevice } from '../../shared/actor.ts';
import type { RandomSource } from '../../shared/lib/id.ts';
import { createId } from '../../shared/lib/id.ts';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import { runMutation, neededRowOf } from '../../shared/mutations/run-mutation.ts';
import { withConnection } from '../db/connection.ts';
import type { Clock } from '../db/clock.ts';
import { photoDraftsOf, type OutboxEntry, type PersonDb, type PhotoEntry } from '../db/person-db.ts';
import { orFull } from '../db/storage-errors.ts';
import { lastCommit, Overtaken } from '../db/note-commits.ts';
import type { ShownEarly } from '../db/private-rows.ts';
import { foresee, type Intent } from './foresee.ts';
import { correctedBy } from './corrected-now.ts';
import { writeSetStores, createWriteSet, rowsInMemory } from './dexie-tx.ts';
import { isQueuedOrDecided } from './decided.ts';
import type { CollectionsPort } from './ports.ts';

export interface MutatePorts {
  db: PersonDb;
  userId: string;
  clock: Clock;
  random: RandomSource;
  collections: Pick<CollectionsPort, 'find'>;
  /** See `Engine`. Left out: it waits for its turn. */
  goesNext?(uid: string): boolean;
}

type Base = NonNullable<OutboxEntry['base']>;

/** What is written, or deleted, in the same transaction as the mutation. */
export interface CompanionWrites {
  /** Photos to keep for the upload queue. */
  photos?: readonly PhotoEntry[];
  changePhotos?: readonly { id: string; changes: Partial<Omit<PhotoEntry, 'id'>> }[];
  dropPhotos?: string[];
  /** What was in the form is a mutation now, so the draft of this key is deleted, its photos too. */
  dropDraft?: string | undefined;
  /**
   * The key of the held change that this is, `held/` and its uid. Where it is gone, another tab made it or the person
   * took it back, and nothing is done.
   */
  held?: string;
  /** What a draft becomes, if it is still there. */
  changeDraft?: { key: string; value: unknown };
  /** The uid of a rejected mutation that this one replaces. */
  dropRejected?: string;
  /** Rows as they are shown, for where no collection has them on this device (yet): a job that was read by its link. */
  base?: Base;
}

/**
 * The one verb that screens know. Runs the mutation on the private tables and puts it into the outbox, in one strictly
 * durable transaction (C1); resolves when that transaction is complete, which is when one may say "Saved on this
 * phone".
 *
 * Throws a `Rejection` where the answer is no already on the device: nothing is queued. Throws `StorageFull`.
 */
export async function mutate<Name extends MutationName>(
  ports: MutatePorts,
  name: Name,
  args: ArgsOf<Name>,
  companions: CompanionWrites = {},
): Promise<{ uid: string }> {
  const uid = companions.held?.slice(heldBegins.length) ?? createId(ports.clock.now(), ports.random);
  const intent: Intent = {
    uid,
    name,
    args,
    base: await baseOf(ports, name, args, companions.base),
    tappedAt: ports.clock.now(),
  };
  const { db } = ports;
  const plan = await foresee(ports, intent, companions.dropRejected);
  const screen: { early?: ShownEarly } = {};
  let isRepeat = false;
  const enqueue = (write: () => Promise<void>) =>
    db.transaction('rw', [...writeSetStores, 'outbox', 'photos', 'drafts', 'refused', 'meta'], async () => {
      screen.early?.endWith(Dexie.currentTransaction.idbtrans);
      // A lost connection leaves it open whether the transaction completed: the uid tells (C5).
      if (isRepeat && (await isQueuedOrDecided(db, uid))) return;
      isRepeat = true;
      if (companions.held && !(await db.drafts.where({ key: companions.held }).delete())) return;
      await Promise.all([write(), writeCompanions(db, companions)]);
    });
  const persist = async () => {
    try {
      const { write } = plan ?? {};
      const state = write !== undefined && ports.goesNext?.(uid) === true ? 'sent' : 'new';
      if (write !== undefined) return await withConnection(db, () => enqueue(() => write(state)));
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
    await withConnection(db, () => enqueue(() => enqueueInTransaction(ports, intent)));
  };
  // The disk is asked first: it works while the screen is drawn.
  const written = persist();
  if (plan !== undefined) screen.early = db.rows.show(plan.early);
  try {
    await written;
  } catch (error) {
    screen.early?.end();
    throw orFull(error);
  }
  return { uid };
}

/** How the keys of held changes begin, among the drafts. */
export const heldBegins = 'held/';

async function enqueueInTransaction(ports: MutatePorts, intent: Intent): Promise<void> {
  const { tappedAt, ...queued } = intent;
  const { name, args, base } = queued;
  const { db, userId } = ports;
  const { rows } = db;
  // A person waits for this transaction, and each read costs a trip to the browser's own process. One tells whether
  // memory lacks a commit.
  const isKnown = (await lastCommit(db.meta)) === rows.at();
  const [person, offset] = isKnown
    ? [rows.stored.users.get(userId), rows.stored.meta.get('serverTimeOffset')]
    : await Promise.all([db.users.get(userId), db.meta.get('serverTimeOffset')]);
  const now = correctedBy(offset?.value, tappedAt);
  const actor = actorOnDevice(userId, person);
  const draft = createWriteSet(db, isKnown ? rowsInMemory(rows, 'stored') : undefined);
  await draft.attempt(base, (tx) => runMutation(tx, name, args, { actor, now }));
  const entry: Omit<OutboxEntry, 'seq'> = { ...queued, at: now, state: 'new', attempts: 0, lastError: null };
  await Promise.all([draft.flush(), db.outbox.add(entry as OutboxEntry)]);
}

/**
 * The row it is about, where a collection has it, or else as it is shown: looked up before the transaction, which could
 * not wait for it. Also one that is in the private tables: it may leave them while this waits (the interest that
 * brought it is gone with a restored database), and must still be seen.
 */
async function baseOf(ports: MutatePorts, name: string, args: unknown, shown: Base = []): Promise<OutboxEntry['base']> {
  const target = neededRowOf(name, args);
  if (target === undefined) return [];
  const row = await ports.collections.find(target.table, target.id);
  if (row !== undefined) return [{ table: target.table, row }];
  return shown.filter((one) => one.table === target.table && (one.row as { id: string }).id === target.id);
}

async function writeCompanions(db: PersonDb, companions: CompanionWrites): Promise<void> {
  const { photos = [], changePhotos = [], dropPhotos = [], dropDraft: draft, changeDraft, dropRejected } = companions;
  if (photos.length > 0) await db.photos.bulkPut(photos);
  for (const { id, changes } of changePhotos) await db.photos.update(id, changes);
  if (dropPhotos.length > 0) await db.photos.bulkDelete(dropPhotos);
  if (draft !== undefined) {
    await db.drafts.delete(draft);
    await db.drafts.where('key').startsWith(photoDraftsOf(draft)).delete();
  }
  if (changeDraft !== undefined) await db.drafts.update(changeDraft.key, { value: changeDraft.value });
  if (dropRejected !== undefined) await db.refused.delete(dropRejected);
}
