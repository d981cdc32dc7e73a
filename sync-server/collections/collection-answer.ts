import type { Actor } from '../../shared/actor.ts';
import { hasSubscription } from '../../shared/actor.ts';
import type { CollectionAnswer } from '../../shared/protocol/exchange.ts';
import type { Manifest } from '../../shared/protocol/segment.ts';
import { collections, type CollectionDefinition, type CollectionName } from '../../shared/tables/collections.ts';
import type { CollectionPosition } from '../sync/collection-port.ts';
import { cutToRegions, heldRegions } from '../sync/cut-to-regions.ts';
import type { CollectionHead, CollectionReads, ReadManifest, StoredManifest } from '../store/collection-tables.ts';
import { asManifest, rowsIn } from './as-manifest.ts';
import { regionOf } from './collection-ranges.ts';

/** May this person read the collection at `now` (ISO instant)? Undefined: a signed-out visitor. */
export function mayReadCollection(collection: CollectionName, actor: Actor | undefined, now: string): boolean {
  return collections[collection].readers === 'public' || (actor !== undefined && hasSubscription(actor, now));
}

export interface CollectionQuestion {
  /** The snapshot of the answer. */
  tx: CollectionReads;
  collection: CollectionName;
  /** Undefined: a signed-out visitor. */
  actor: Actor | undefined;
  /** The version the device has; null for none. */
  asked: string | null;
  /** The timeline it says that version is of. */
  askedTimeline: string | undefined;
  /** The request's; undefined for an app of before. */
  regions?: readonly string[] | undefined;
  isCookieCurrent: boolean;
  position: CollectionPosition;
  /** The collection's own position in it; undefined where it never had a snapshot. */
  collectionHead: CollectionHead | undefined;
  /** The last snapshot, read in that transaction where it is not known. */
  readManifest(): Promise<ReadManifest>;
  /** How many rows it had when it was last read here. */
  lastRows: number;
  /** A collection with more rows is held in part. */
  heldWholeUpTo: number;
}

/**
 * What a device that may read the collection gets (P9): the rows that changed since its version, or a manifest where
 * segments bring it up to date for less.
 */
export async function answerCollection(question: CollectionQuestion): Promise<CollectionAnswer> {
  const {
    tx,
    collection,
    position: { head, timeline },
    collectionHead,
    heldWholeUpTo,
  } = question;
  const known = knownVersion(question);
  const regions = hasRegions(collection) ? question.regions : undefined;
  const held = heldRegions(regions);
  // Only removals that the manifest knows of are ever purged, so nothing that a device this far has not seen is
  // missing.
  const isAsFar = known !== undefined && collectionHead !== undefined && BigInt(known) >= BigInt(collectionHead.built);
  if (isAsFar && BigInt(known) >= BigInt(collectionHead.changed))
    return { puts: [], removes: [], version: head, timeline };
  const isTooMuch = regions?.length === 0 && question.lastRows > heldWholeUpTo;
  if (!isAsFar || isTooMuch) {
    const manifest = await question.readManifest();
    if (
      known === undefined ||
      isTooMuch ||
      (BigInt(known) < BigInt(manifest.version) && (await isManifestCheaper(tx, collection, known, manifest, held)))
    )
      return { manifest: await manifestFor(question, manifest, regions) };
  }
  const changes = await tx.readCollectionDelta(collection, known, held);
  // The collection's name decides the type of its rows; the answer's type, one for all collections, cannot say so.
  return { ...cutToRegions<{ id: string }>(changes, held), version: head, timeline } as CollectionAnswer;
}

const hasRegions = (collection: CollectionName) =>
  (collections[collection] as CollectionDefinition).townColumn !== undefined;

/** `regions`: the request's, where the device may hold the collection in part. */
async function manifestFor(
  { tx, actor, position: { timeline }, heldWholeUpTo }: CollectionQuestion,
  manifest: ReadManifest,
  regions: readonly string[] | undefined,
): Promise<Manifest> {
  const isByRegion = manifest.entries.some(({ start }) => regionOf(start) !== undefined);
  const own = isByRegion && actor !== undefined ? await tx.readOwnRegions(actor.id) : [];
  if (!isByRegion || regions === undefined || rowsIn(manifest.entries) <= heldWholeUpTo)
    return asManifest(manifest, timeline, { own });
  // A row whose town is not known may be anywhere.
  return asManifest(manifest, timeline, { own, held: [...new Set([...own, ...regions, ''])] });
}

/**
 * The version that the device asks from, where it is of this database's timeline; undefined where it is not, or where
 * that cannot be known. After a restore the same number can mean other rows (S5).
 */
function knownVersion({ asked, askedTimeline, isCookieCurrent, position }: CollectionQuestion): string | undefined {
  if (asked === null || !/^\d{1,18}$/.test(asked) || BigInt(asked) > BigInt(position.head)) return undefined;
  if (askedTimeline !== undefined) return askedTimeline === position.timeline ? asked : undefined;
  // An older app sends no timeline. A new timeline begins above every version drawn until then (db/new-timeline.ts),
  // and raises the floor.
  return isCookieCurrent && BigInt(asked) >= BigInt(position.tombstoneFloor) ? asked : undefined;
}

/**
 * Does a device from before the manifest do better with its segments? Yes where removals it has not seen may be purged
 * (S5), and where more changed before the manifest than is worth sending and keeping one row at a time. What changed
 * after it comes as rows either way.
 */
async function isManifestCheaper(
  tx: CollectionReads,
  collection: CollectionName,
  known: string,
  manifest: StoredManifest,
  regions: readonly string[] | undefined,
): Promise<boolean> {
  if (await tx.isBelowFloor(known)) return true;
  const snapshotRows = rowsIn(
    regions === undefined
      ? manifest.entries
      : manifest.entries.filter(({ start }) => regions.includes(regionOf(start) ?? '')),
  );
  const worthSending = Math.min(1_000, Math.max(100, Math.ceil(snapshotRows / 3)));
  const maxCounted = 10_000;
  const [since, tail] = [
    await tx.countChanges(collection, known, maxCounted, regions),
    await tx.countChanges(collection, manifest.version, maxCounted, regions),
  ];
  return since - tail > worthSending;
}
