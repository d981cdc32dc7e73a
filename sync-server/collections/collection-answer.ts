import { sql } from 'kysely';
import type { Actor } from '../../shared/actor.ts';
import { hasSubscription } from '../../shared/actor.ts';
import type { CollectionAnswer } from '../../shared/protocol/exchange.ts';
import { collections, type CollectionName } from '../../shared/tables/collections.ts';
import type { Sql } from '../db/database.ts';
import { countChanges, readShelfDelta } from './collection-rows.ts';
import type { CollectionStanding } from '../sync/collection-port.ts';
import { asManifest, readManifest, type CollectionHead, type StoredManifest } from './collection-store.ts';

/** May this person read the shelf at `now` (ISO instant)? Undefined stands for somebody signed out. */
export function mayReadCollection(collection: CollectionName, actor: Actor | undefined, now: string): boolean {
  return collections[collection].readers === 'public' || (actor !== undefined && hasSubscription(actor, now));
}

export interface OneShelfQuestion {
  /** The snapshot of the answer. */
  sql: Sql;
  shelf: CollectionName;
  /** The version the device has; null for none. */
  asked: string | null;
  /** The timeline it says that version is of. */
  askedTimeline: string | undefined;
  isCookieCurrent: boolean;
  standing: CollectionStanding;
  /** Where the shelf itself stands in it; undefined for one that was never sealed. */
  collectionHead: CollectionHead | undefined;
}

/** What a device that may read the shelf gets (P9): the rows that changed since its version, or a manifest where segments bring it up to date for less. */
export async function answerCollection(question: OneShelfQuestion): Promise<CollectionAnswer> {
  const { sql: tx, shelf: collection, standing: { head, timeline }, collectionHead } = question;
  const known = knownVersion(question);
  // Nothing that a device this far has not seen can be forgotten: only removals that the manifest knows of ever are.
  const isAsFar = known !== undefined && collectionHead !== undefined && BigInt(known) >= BigInt(collectionHead.sealed);
  if (isAsFar && BigInt(known) >= BigInt(collectionHead.changed)) return { puts: [], removes: [], version: head, timeline };
  if (!isAsFar) {
    const manifest = await readManifest(tx, collection);
    if (known === undefined || (BigInt(known) < BigInt(manifest.version) && (await isManifestCheaper(tx, collection, known, manifest)))) {
      return { manifest: asManifest(manifest, timeline) };
    }
  }
  // The shelf's name and its rows go together; the answer's type, which is one for all shelves, cannot say so.
  return { ...(await readShelfDelta(tx, collection, known)), version: head, timeline } as CollectionAnswer;
}

/**
 * The version that the device asks from, where it means in this database what it meant where the device has it from; undefined where
 * it does not, or where that cannot be known. After a restore the same number can stand for other rows (S5).
 */
function knownVersion({ asked, askedTimeline, isCookieCurrent, standing }: OneShelfQuestion): string | undefined {
  if (asked === null || !/^\d{1,18}$/.test(asked) || BigInt(asked) > BigInt(standing.head)) return undefined;
  if (askedTimeline !== undefined) return askedTimeline === standing.timeline ? asked : undefined;
  // A phone of before says no timeline. A new one begins above every version drawn until then (db/new-lineage.ts), and raises the floor.
  return isCookieCurrent && BigInt(asked) >= BigInt(standing.tombstoneFloor) ? asked : undefined;
}

/**
 * Does a device from before the manifest do better with its segments? Yes where removals it has not heard of may be forgotten
 * (S5), and where more changed before the manifest than is worth sending and keeping one row at a time. What changed after
 * it comes as rows either way.
 */
async function isManifestCheaper(tx: Sql, collection: CollectionName, known: string, manifest: StoredManifest): Promise<boolean> {
  const { rows } = await sql<{ too_old: boolean }>`select tombstone_floor > ${known} as too_old from sync_meta`.execute(tx);
  if (rows[0]?.too_old === true) return true;
  const snapshotRows = manifest.entries.reduce((sum, entry) => sum + entry.rows, 0);
  const worthSending = Math.min(1_000, Math.max(100, Math.ceil(snapshotRows / 3)));
  const most = 10_000;
  const [since, tail] = [await countChanges(tx, collection, known, most), await countChanges(tx, collection, manifest.version, most)];
  return since - tail > worthSending;
}
