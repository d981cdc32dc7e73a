import { Dexie } from 'dexie';
import type { ShelfAnswer } from '../../shared/protocol/exchange.ts';
import type { ShelfName } from '../../shared/tables/shelves.ts';
import type { FreshEntry, ShelfDb, ShelfState } from '../db/person-db.ts';
import { enterManifest } from './enter-manifest.ts';
import { blankState, shelfStoreNames, stateOf } from './shelf-homes.ts';
import { isNewer, padVersion } from './shelf-version.ts';

/** `foreign`: an answer to a question that this device no longer asks. Nothing moved. */
export type TakenIn = 'taken' | 'denied' | 'foreign';

/**
 * Takes one shelf's part of an answer in, in one transaction.
 * `asked`: the version the request named; `at`: ISO instant of the answer.
 */
export async function takeInShelf(
  db: ShelfDb,
  shelf: ShelfName,
  answer: ShelfAnswer,
  asked: string | null,
  at: string,
): Promise<TakenIn> {
  return db.transaction('rw', [...shelfStoreNames], async () => {
    const state = await stateOf(db, shelf);
    if ('denied' in answer) {
      await emptyShelf(db, shelf);
      await db.shelfStates.put({ ...blankState(shelf), denied: true, updatedAt: at });
      return 'denied';
    }
    // Null asks for a manifest also where a version is here: that is how a long `fresh` is exchanged for segments.
    if (asked !== null && asked !== state.version) return 'foreign';
    const heard: ShelfState = { ...state, denied: false, updatedAt: at };
    if ('manifest' in answer) {
      const isOfNoUse = asked !== null;
      await enterManifest(db, isOfNoUse ? { ...heard, version: null } : heard, answer.manifest);
      return 'taken';
    }
    if (asked !== state.version || (asked !== null && isNewer(asked, answer.version))) return 'foreign';
    const entry = (id: string, row: unknown): FreshEntry => ({ shelf, id, row, version: padVersion(answer.version) });
    await db.fresh.bulkPut([...answer.removes.map((id) => entry(id, null)), ...answer.puts.map((row) => entry(row.id, row))]);
    await db.shelfStates.put({ ...heard, version: answer.version });
    return 'taken';
  });
}

/** Inside a transaction. Nothing of the shelf stays on the device. */
async function emptyShelf(db: ShelfDb, shelf: ShelfName): Promise<void> {
  await db.segments.where('shelf').equals(shelf).delete();
  await db.fresh.where('[shelf+id]').between([shelf, Dexie.minKey], [shelf, Dexie.maxKey], true, true).delete();
}
