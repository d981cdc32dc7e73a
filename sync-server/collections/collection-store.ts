import { sql } from 'kysely';
import type { Manifest, SegmentEntry } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';
import { isOfOtherLife } from '../db/database-life.ts';
import type { Sql } from '../db/database.ts';

/** A segment as listed in the manifest, with the edge from which its range begins ('' for the oldest). */
export type StoredEntry = SegmentEntry & { start: string };

export interface StoredManifest {
  /** '0' for a collection without a snapshot. */
  version: string;
  shape: string;
  /** Oldest first. */
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

/** The last snapshot; version '0' and no segments where there was none. */
export async function readManifest(tx: Sql, collection: CollectionName): Promise<ReadManifest> {
  const { rows } = await sql<{
    version: string;
    shape: string;
    segments: StoredEntry[];
    sealed_at: Date | null;
    timeline: string | null;
  }>`
    select version, shape, segments, sealed_at, (select meta.lineage from sync_meta meta where not ${isOfOtherLife}) as timeline from shelf_manifest where shelf = ${collection}`.execute(
    tx,
  );
  const [found] = rows;
  if (found === undefined) return { version: '0', shape: '', entries: [], builtAt: undefined, timeline: undefined };
  return {
    version: found.version,
    shape: found.shape,
    entries: found.segments,
    builtAt: found.sealed_at ?? undefined,
    timeline: found.timeline ?? undefined,
  };
}

/** A collection's position: the version of its snapshot, and the one at which it last changed. */
export interface CollectionHead {
  sealed: string;
  changed: string;
}

/** Of every collection with a snapshot, without its segments: enough to see that a device has everything, as most do. */
export async function readCollectionHeads(tx: Sql): Promise<Map<string, CollectionHead>> {
  const { rows } = await sql<
    CollectionHead & { shelf: string }
  >`select m.shelf, m.version as sealed, coalesce((select max(c.shelf_version) from sync_change c where c.shelf = m.shelf), 0) as changed
    from shelf_manifest m`.execute(tx);
  return new Map(
    rows.map(({ shelf: collection, sealed: snapshot, changed }) => [collection, { sealed: snapshot, changed }]),
  );
}

/** As sent: newest first, without our edges. */
export function asManifest({ version, entries }: StoredManifest, timeline: string): Manifest {
  return {
    version,
    timeline,
    segments: entries.toReversed().map(({ hash, rows, bytes, from, to }) => ({ hash, rows, bytes, from, to })),
  };
}

export interface Lease {
  id: string;
  now: Date;
  until: Date;
}

/**
 * Acquires the lease to build a snapshot, unless another instance holds it. A row of our own rather than an advisory lock: those belong
 * to a connection, PGlite has only the one, and no transaction should stay open while segments are compressed.
 */
export async function acquireLease(db: Sql, collection: CollectionName, { id, now, until }: Lease): Promise<boolean> {
  const { rows } =
    await sql`insert into shelf_manifest as held (shelf, version, shape, segments, lease, lease_until) values (${collection}, 0, '', '[]', ${id}, ${until})
    on conflict (shelf) do update set lease = excluded.lease, lease_until = excluded.lease_until
    where held.lease is null or held.lease_until < ${now} returning 1`.execute(db);
  return rows.length > 0;
}

/** Releases the lease without switching the manifest; nothing happens where another instance holds it by now. */
export async function releaseLease(db: Sql, collection: CollectionName, { id }: Lease): Promise<void> {
  await sql`update shelf_manifest set lease = null, lease_until = null where shelf = ${collection} and lease = ${id}`.execute(
    db,
  );
}

/** Puts the manifest in place of the old one and ends the lease; false, and nothing written, where the lease is another's by now. */
export async function switchManifest(
  tx: Sql,
  collection: CollectionName,
  lease: Lease,
  { version, shape, entries }: StoredManifest,
): Promise<boolean> {
  const { rows } =
    await sql`update shelf_manifest set version = ${version}, shape = ${shape}, segments = ${JSON.stringify(entries)}::jsonb,
    sealed_at = ${lease.now}, lease = null, lease_until = null where shelf = ${collection} and lease = ${lease.id} returning 1`.execute(
      tx,
    );
  return rows.length > 0;
}

/** Keeps a segment under its hash; one that is there already stays as it is. */
export async function writeSegment(
  tx: Sql,
  collection: CollectionName,
  now: Date,
  { hash, rows, bytes, br, gzip }: StoredSegment,
): Promise<void> {
  await sql`insert into shelf_segment (hash, shelf, rows, bytes, body_br, body_gzip, sealed_at)
    values (${hash}, ${collection}, ${rows}, ${bytes}, ${br}, ${gzip}, ${now}) on conflict (hash) do nothing`.execute(
    tx,
  );
}

/** Marks the segments that no manifest names any more, with the time; deletes those that no device can still be downloading. */
export async function retireSegments(
  tx: Sql,
  collection: CollectionName,
  standing: readonly string[],
  { now, unreferencedBefore }: { now: Date; unreferencedBefore: Date },
): Promise<void> {
  await sql`update shelf_segment set unreferenced_at = case when hash = any(${standing}) then null else ${now}::timestamptz end
    where shelf = ${collection} and (unreferenced_at is null) <> (hash = any(${standing}))`.execute(tx);
  await sql`delete from shelf_segment where shelf = ${collection} and unreferenced_at < ${unreferencedBefore}`.execute(
    tx,
  );
}

/** Which of these segments are kept already. */
export async function findKept(db: Sql, hashes: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ hash: string }>`select hash from shelf_segment where hash = any(${hashes})`.execute(db);
  return new Set(rows.map(({ hash }) => hash));
}

export async function readSegment(
  db: Sql,
  collection: CollectionName,
  hash: string,
): Promise<StoredSegment | undefined> {
  const { rows } =
    await sql<StoredSegment>`select hash, rows, bytes, body_br as br, body_gzip as gzip from shelf_segment
    where hash = ${hash} and shelf = ${collection}`.execute(db);
  return rows[0];
}
