import { Dexie } from 'dexie';
import type { ShelfAnswer } from '../../shared/protocol/exchange.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import type { ShelfName } from '../../shared/tables/shelves.ts';
import type { FreshEntry, ShelfDb, ShelfState } from '../db/person-db.ts';
import { enterManifest, isOfState } from './enter-manifest.ts';
import { blankState, markOf, shelfStoreNames, stateOf } from './shelf-homes.ts';
import { isNewer, padVersion } from './shelf-version.ts';

/** `foreign`: an answer to a question that this device no longer asks. `barred`: whoever asked leads no more. Nothing moved. */
export type TakenIn = 'taken' | 'denied' | 'foreign' | 'barred';

export interface AskedShelf {
  /** The version the request named; null where it asked for a manifest. */
  version: string | null;
  /** Of that version; null where the request named none. */
  timeline: string | null;
  /** Where the shelf stood when the question was made (`markOf`). */
  mark: string;
}

export interface Taking {
  asked: AskedShelf;
  /** ISO instant of the answer. */
  at: string;
  /** Asked inside the transaction: may what was asked for still be laid down (C3)? Only of a database with a leader of its own. */
  fence?: { stores: readonly string[]; isBarred(): Promise<boolean> } | undefined;
}

/** Takes one shelf's part of an answer in, in one transaction. */
export async function takeInShelf(db: ShelfDb, shelf: ShelfName, answer: ShelfAnswer, { asked, at, fence }: Taking): Promise<TakenIn> {
  return db.transaction('rw', [...shelfStoreNames, ...(fence?.stores ?? [])], async () => {
    if ((await fence?.isBarred()) === true) return 'barred';
    const state = await stateOf(db, shelf);
    if ('denied' in answer) {
      await emptyShelf(db, shelf);
      await db.shelfStates.put({ ...blankState(shelf), denied: true, updatedAt: at });
      return 'denied';
    }
    const heard: ShelfState = { ...state, denied: false, updatedAt: at };
    if ('manifest' in answer) return takeManifest(db, { state, heard, asked }, answer.manifest);
    const isAnswerToThis = asked.version !== null && isWhereItStood(state, asked) && (answer.timeline ?? state.timeline) === state.timeline;
    if (!isAnswerToThis || isNewer(asked.version ?? '0', answer.version)) return 'foreign';
    const entry = (id: string, row: unknown): FreshEntry => ({ shelf, id, row, version: padVersion(answer.version) });
    await db.fresh.bulkPut([...answer.removes.map((id) => entry(id, null)), ...answer.puts.map((row) => entry(row.id, row))]);
    await db.shelfStates.put({ ...heard, version: answer.version });
    return 'taken';
  });
}

const isWhereItStood = (state: ShelfState, { version, timeline }: AskedShelf) => state.version === version && state.timeline === timeline;

/**
 * A manifest replaces what is here, so it must belong to the state it was asked for in; one that is merely newer in the same life of the
 * database fits whatever happened since. One that comes late and is older would leave a hole between itself and `fresh`.
 */
async function takeManifest(db: ShelfDb, now: { state: ShelfState; heard: ShelfState; asked: AskedShelf }, manifest: Manifest): Promise<TakenIn> {
  const { state, heard, asked } = now;
  if (asked.version !== null) {
    // The server could not answer from there: whatever was laid over the old segments is of no use any more.
    if (!isWhereItStood(state, asked)) return 'foreign';
    await enterManifest(db, { ...heard, version: null }, manifest);
    return 'taken';
  }
  const newest = state.coming ?? state.manifest;
  if (state.version !== null && newest !== null && isOfState(state, manifest)) {
    if (isNewer(newest.version, manifest.version)) return 'foreign';
    // Null asks for a manifest also where a version is here: that is how a long `fresh` is exchanged for segments.
    if (newest.version === manifest.version) await db.shelfStates.put(heard);
    else await enterManifest(db, heard, manifest);
    return 'taken';
  }
  if (markOf(state) !== asked.mark) return 'foreign';
  await enterManifest(db, { ...heard, version: null }, manifest);
  return 'taken';
}

/** Inside a transaction. Nothing of the shelf stays on the device. */
async function emptyShelf(db: ShelfDb, shelf: ShelfName): Promise<void> {
  await db.segments.where('shelf').equals(shelf).delete();
  await db.fresh.where('[shelf+id]').between([shelf, Dexie.minKey], [shelf, Dexie.maxKey], true, true).delete();
}
