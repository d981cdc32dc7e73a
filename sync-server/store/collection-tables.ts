import type { SegmentEntry } from '../../shared/protocol/segment.ts';
import type { CollectionName, CollectionRow } from '../../shared/tables/collections.ts';

/* The part of the store that shared collections are read from and built into. */

/** A segment as listed in the manifest, with the edge from which its range begins (`Range`). */
export type StoredEntry = SegmentEntry & { start: string };

export interface StoredManifest {
  /** '0' for a collection without a snapshot. */
  version: string;
  shape: string;
  /** In the order of their edges. */
  entries: StoredEntry[];
  builtAt: Date | undefined;
}

/** As stored, with the timeline of the database it was read from. */
export interface ReadManifest extends StoredManifest {
  /** Undefined for a collection without a snapshot, and after a restore until the new timeline has begun. */
  timeline: string | undefined;
}

/** One segment, compressed both ways, ready to be sent. */
export interface StoredSegment {
  hash: string;
  rows: number;
  bytes: number;
  br: Uint8Array;
  gzip: Uint8Array;
}

/** A collection's position: the version of its snapshot, and the one at which it last changed. */
export interface CollectionHead {
  built: string;
  changed: string;
}

export interface Lease {
  id: string;
  now: Date;
  until: Date;
}

export interface Bounds {
  /** Earliest instant, included, as ISO text; undefined for no bound. */
  from: string | undefined;
  /** Latest instant, included to its whole millisecond; undefined for no bound. */
  to: string | undefined;
  /** Of this region alone; '' for rows whose town is unknown. */
  region?: string | undefined;
}

/** Where a changed row of a collection is, if that is cut by regions. */
export interface Place {
  /** '' where its town is not known, or the collection is not cut by regions. */
  region: string;
  /** The regions in which it had a place and has left it: it moved, or its age is another. */
  left: readonly string[];
}

/** What changed in a collection after a version: rows that are in it, and ids of those that left it. */
export interface CollectionChanges<Name extends CollectionName = CollectionName> {
  puts: CollectionRow<Name>[];
  removes: string[];
  /** By id, of each of them. */
  places: ReadonlyMap<string, Place>;
}

export interface CollectionReads {
  /**
   * The last snapshot; version '0' and no segments where there was none. `known`: what was read before, whose entries
   * need not be read again where it is still the last one.
   */
  readManifest(collection: CollectionName, known?: ReadManifest): Promise<ReadManifest>;
  /**
   * Reads every collection with a snapshot, without its segments: enough to see that a device has everything, as most
   * do.
   */
  readCollectionHeads(): Promise<Map<string, CollectionHead>>;
  /** Removals after this version may be purged. */
  isBelowFloor(version: string): Promise<boolean>;
  /** The collection's rows of these instants, in any order. */
  readCollectionRows<Name extends CollectionName>(collection: Name, bounds: Bounds): Promise<CollectionRow<Name>[]>;
  /** How many rows of the collection are in each region; all of them under '' where it is not cut by regions. */
  countByRegion(collection: CollectionName): Promise<Map<string, number>>;
  /**
   * How many rows of the collection are between each of these edges and the next, in their order. The first edge lies
   * below all rows. `isByRegion`: the edges name regions. `regions`: no other rows are looked at.
   */
  countByRange(
    collection: CollectionName,
    edges: readonly string[],
    isByRegion: boolean,
    regions?: readonly string[],
  ): Promise<number[]>;
  /** How many rows of the collection, or of these regions, changed after a version, counted up to `max`. */
  countChanges(collection: CollectionName, version: string, max: number, regions?: readonly string[]): Promise<number>;
  /**
   * Rows that changed after a version, in the collection or not. `createdAt`: undefined where they are gone for good.
   */
  readChangedRows(
    collection: CollectionName,
    version: string,
  ): Promise<(Place & { id: string; createdAt: string | undefined })[]>;
  /** The regions that this person works in (`own-regions.ts`). */
  readOwnRegions(userId: string): Promise<string[]>;
  /** `regions`: of rows that are or were in one of them alone. */
  readCollectionDelta<Name extends CollectionName>(
    collection: Name,
    version: string,
    regions?: readonly string[],
  ): Promise<CollectionChanges<Name>>;
  /** Which of these segments are kept already. */
  findSegments(hashes: readonly string[]): Promise<Set<string>>;
  readSegment(collection: CollectionName, hash: string): Promise<StoredSegment | undefined>;
}

export interface CollectionWrites {
  /**
   * Acquires the lease to build a snapshot, unless another instance holds it. A row of our own rather than an advisory
   * lock: those belong to a connection, PGlite has only the one, and no transaction should stay open while segments are
   * compressed.
   */
  acquireLease(collection: CollectionName, lease: Lease): Promise<boolean>;
  /** Extends the lease; false where it is another's by now. */
  extendLease(collection: CollectionName, lease: Lease): Promise<boolean>;
  /** Releases the lease without switching the manifest; nothing happens where another instance holds it by now. */
  releaseLease(collection: CollectionName, lease: Lease): Promise<void>;
  /**
   * Puts the manifest in place of the old one and ends the lease; false, and nothing written, where the lease is
   * another's by now.
   */
  switchManifest(collection: CollectionName, lease: Lease, manifest: Omit<StoredManifest, 'builtAt'>): Promise<boolean>;
  /** Keeps a segment under its hash; one that is there already stays as it is. */
  writeSegment(collection: CollectionName, at: Date, segment: StoredSegment): Promise<void>;
  /**
   * Marks the segments that no manifest names any more, with the time; deletes those that no device can still be
   * downloading.
   */
  retireSegments(
    collection: CollectionName,
    standing: readonly string[],
    times: { now: Date; unreferencedBefore: Date },
  ): Promise<void>;
}
