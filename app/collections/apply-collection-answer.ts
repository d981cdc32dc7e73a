import { Dexie } from 'dexie';
import type { CollectionAnswer } from '../../shared/protocol/exchange.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import type { ChangedRow, CollectionDb, CollectionState } from '../db/person-db.ts';
import { enterManifest, isOfState } from './enter-manifest.ts';
import { blankState, positionKeyOf, collectionStoreNames, stateOf } from './collection-dbs.ts';
import { hasSameRegions, heldRegions, regionsKey } from './held-regions.ts';
import { isNewer, padVersion } from './collection-version.ts';

/**
 * `foreign`: answers a question that this device no longer asks. `fenced`: the tab that asked is no longer the leader.
 * Both write nothing.
 */
export type CollectionApplyResult = 'taken' | 'denied' | 'foreign' | 'fenced';

export interface AskedCollection {
  /** The version the request named; null where it asked for a manifest. */
  version: string | null;
  /** The timeline of that version; null where the request named none. */
  timeline: string | null;
  /** The collection's position when the question was asked (`markOf`). */
  mark: string;
  /** The regions that it named, of a collection that is held in part. */
  regions?: readonly string[] | undefined;
}

export interface ApplyOptions {
  asked: AskedCollection;
  /** ISO instant of the answer. */
  at: string;
  /** To save data, a list is replaced when the new one's own regions are here. */
  onlyNear?: boolean | undefined;
  /**
   * Asked inside the transaction: may the answer still be written (C3)? Only for a database with a leader of its own.
   */
  fence?: { stores: readonly string[]; isFenced(): Promise<boolean> } | undefined;
}

/** Applies one collection's part of an answer, in one transaction. */
export async function applyCollectionAnswer(
  db: CollectionDb,
  collection: CollectionName,
  answer: CollectionAnswer,
  { asked, at, onlyNear = false, fence }: ApplyOptions,
): Promise<CollectionApplyResult> {
  // One that moves the version alone, as most are, waits for nothing that reads rows, and nothing waits for it.
  const stores = isWithoutRows(answer) ? (['shelfStates'] as const) : collectionStoreNames;
  return db.transaction('rw', [...stores, ...(fence?.stores ?? [])], async () => {
    if ((await fence?.isFenced()) === true) return 'fenced';
    const state = await stateOf(db, collection);
    if ('denied' in answer) {
      await emptyCollection(db, collection);
      await db.shelfStates.put({ ...blankState(collection), denied: true, updatedAt: at });
      return 'denied';
    }
    const heard: CollectionState = { ...state, denied: false, updatedAt: at };
    if ('manifest' in answer) return applyManifest(db, { state, heard, asked, onlyNear }, answer.manifest);
    const isAnswerToThis =
      asked.version !== null && isWhereItStood(state, asked) && (answer.timeline ?? state.timeline) === state.timeline;
    if (!isAnswerToThis || isNewer(asked.version ?? '0', answer.version)) return 'foreign';
    const entry = (id: string, row: unknown): ChangedRow => ({
      shelf: collection,
      id,
      row,
      version: padVersion(answer.version),
    });
    if (!isWithoutRows(answer))
      await db.fresh.bulkPut([
        ...answer.removes.map((id) => entry(id, null)),
        ...answer.puts.map((row) => entry(row.id, row)),
      ]);
    await db.shelfStates.put({ ...heard, version: answer.version });
    return 'taken';
  });
}

/** An answer of changes that has none. */
export const isWithoutRows = (answer: CollectionAnswer | undefined) =>
  answer !== undefined && 'puts' in answer && answer.puts.length + answer.removes.length === 0;

const isWhereItStood = (state: CollectionState, { version, timeline, regions = [] }: AskedCollection) =>
  state.version === version &&
  state.timeline === timeline &&
  regionsKey(regions) === regionsKey(heldRegions(state.manifest));

/**
 * A manifest replaces what is here, so it must belong to the state it was asked for in; one that is merely newer on the
 * same timeline fits whatever happened since. One that comes late and is older would leave a hole between itself and
 * `fresh`.
 */
async function applyManifest(
  db: CollectionDb,
  now: { state: CollectionState; heard: CollectionState; asked: AskedCollection; onlyNear: boolean },
  manifest: Manifest,
): Promise<CollectionApplyResult> {
  const { state, heard, asked, onlyNear } = now;
  if (asked.version !== null) {
    // The server could not answer from there: what was written over the old segments is of no use any more.
    if (!isWhereItStood(state, asked)) return 'foreign';
    await enterManifest(db, { ...heard, version: null }, manifest, onlyNear);
    return 'taken';
  }
  const newest = state.coming ?? state.manifest;
  if (state.version !== null && newest !== null && isOfState(state, manifest)) {
    if (isNewer(newest.version, manifest.version)) return 'foreign';
    // Null asks for a manifest also where a version is here: that is how a long `fresh` is exchanged for segments.
    // The same one may come in another order: the person's own regions are others now.
    if (newest.version === manifest.version && hasSameRegions(newest, manifest))
      await db.shelfStates.put(inOrderOf(heard, manifest));
    else await enterManifest(db, heard, manifest, onlyNear);
    return 'taken';
  }
  if (positionKeyOf(state) !== asked.mark) return 'foreign';
  await enterManifest(db, { ...heard, version: null }, manifest, onlyNear);
  return 'taken';
}

function inOrderOf(state: CollectionState, { near, segments }: Manifest): CollectionState {
  const key = state.coming === null ? 'manifest' : 'coming';
  const known = state[key];
  const hashes = new Set(known?.segments.map(({ hash }) => hash));
  const isSame = segments.length === hashes.size && segments.every(({ hash }) => hashes.has(hash));
  return known === null || !isSame ? state : { ...state, [key]: { ...known, near, segments } };
}

/** Inside a transaction. Nothing of the collection stays on the device. */
async function emptyCollection(db: CollectionDb, collection: CollectionName): Promise<void> {
  await db.segments.where('shelf').equals(collection).delete();
  await db.fresh
    .where('[shelf+id]')
    .between([collection, Dexie.minKey], [collection, Dexie.maxKey], true, true)
    .delete();
}
