import {
  collectionColumns,
  collectionNames,
  collections,
  type CollectionName,
  type CollectionRow,
} from '../../../shared/tables/collections.ts';
import { positionOf } from '../../../shared/lib/position-of.ts';
import { rangeKey } from '../../../shared/protocol/segment.ts';
import type { Reference, Search } from '../../../shared/tables/index.ts';
import type {
  CollectionReads,
  CollectionWrites,
  Place,
  StoredEntry,
  StoredSegment,
} from '../../store/collection-tables.ts';
import { ownRegions } from '../../store/own-regions.ts';
import type { MemoryTx } from './memory-engine.ts';
import { isInCollection, regionIn, type ChangeLine, type Row } from './memory-tables.ts';

interface ManifestLine extends Row {
  shelf: string;
  version: number;
  shape: string;
  segments: readonly StoredEntry[];
  sealed_at: Date | null;
  lease: string | null;
  lease_until: Date | null;
}

interface SegmentLine extends Row, StoredSegment {
  shelf: string;
  unreferenced_at: Date | null;
}

const tableOf = (collection: CollectionName) => collections[collection].table;
const cut = <Name extends CollectionName>(collection: Name, row: Row) =>
  Object.fromEntries(
    collectionColumns(collection).map((column) => [column, row[column]]),
  ) as unknown as CollectionRow<Name>;

/** Shared collections in memory. */
export function memoryCollections(tx: MemoryTx): Omit<CollectionReads, 'isBelowFloor'> & CollectionWrites {
  const manifestOf = (collection: CollectionName) => tx.get('shelf_manifest', collection) as ManifestLine | undefined;
  const segments = () => tx.all('shelf_segment') as SegmentLine[];
  const standing = (collection: CollectionName) =>
    tx.all(tableOf(collection)).filter((row) => isInCollection(tableOf(collection), row));
  const towns = () =>
    new Map(
      (tx.all('reference') as unknown as Reference[])
        .filter(({ kind }) => kind === 'location')
        .map((town) => [town.id, { region: town.region ?? '', position: positionOf(town) }]),
    );
  const regionOf = (collection: CollectionName, row: Row) => regionIn(tx, tableOf(collection), row) ?? '';
  const placeOf = ({ shelf_region: region, shelf_left: left }: ChangeLine): Place => ({
    region: region ?? '',
    left: left ?? [],
  });
  const changedAfter = (collection: CollectionName, version: string, regions?: readonly string[]) =>
    (tx.all('sync_change') as ChangeLine[])
      .filter((line) => line.shelf === collection && (line.shelf_version ?? 0) > Number(version))
      .filter(
        ({ shelf_region: region, shelf_left: left }) =>
          regions === undefined || regions.some((one) => one === region || left?.includes(one) === true),
      )
      .toSorted(
        (one, other) => one.shelf_version! - other.shelf_version! || (one.entity_id < other.entity_id ? -1 : 1),
      );

  return {
    readManifest: async (collection) => {
      const kept = manifestOf(collection);
      if (kept === undefined) return { version: '0', shape: '', entries: [], builtAt: undefined, timeline: undefined };
      return {
        version: String(kept.version),
        shape: kept.shape,
        entries: [...kept.segments],
        builtAt: kept.sealed_at ?? undefined,
        timeline: tx.get('sync_meta', 'only')?.['lineage'] as string,
      };
    },
    readCollectionHeads: async () =>
      new Map(
        collectionNames.flatMap((collection) => {
          const manifest = manifestOf(collection);
          if (manifest === undefined) return [];
          const changed = changedAfter(collection, '0').at(-1)?.shelf_version ?? 0;
          return [[collection, { built: String(manifest.version), changed: String(changed) }]];
        }),
      ),
    readCollectionRows: async (collection, { from, to, region }) =>
      standing(collection)
        .filter(
          (row) =>
            (from === undefined || String(row['createdAt']) >= from) &&
            (to === undefined || String(row['createdAt']) <= to) &&
            (region === undefined || regionOf(collection, row) === region),
        )
        .map((row) => cut(collection, row)),
    countByRegion: async (collection) => {
      const counts = new Map<string, number>();
      for (const row of standing(collection)) {
        const region = regionOf(collection, row);
        counts.set(region, (counts.get(region) ?? 0) + 1);
      }
      return counts;
    },
    countByRange: async (collection, edges, isByRegion, regions) => {
      const counts = edges.map(() => 0);
      const isWanted = (row: Row) => regions === undefined || regions.includes(regionOf(collection, row));
      for (const row of standing(collection).filter(isWanted)) {
        const key = rangeKey(row as Row & { createdAt: string; id: string });
        const placed = isByRegion ? `${regionOf(collection, row)}/${key}` : key;
        const at = edges.findLastIndex((edge) => edge <= placed);
        counts[at] = (counts[at] ?? 0) + 1;
      }
      return counts;
    },
    countChanges: async (collection, version, max, regions) =>
      Math.min(max, changedAfter(collection, version, regions).length),
    readChangedRows: async (collection, version) =>
      changedAfter(collection, version).map((line) => {
        const { entity_id: id } = line;
        return {
          id,
          createdAt: tx.get(tableOf(collection), id)?.['createdAt'] as string | undefined,
          ...placeOf(line),
        };
      }),
    readOwnRegions: async (userId) => {
      const tradie = tx.get('tradies', String(tx.get('users', userId)?.['tradieId']));
      const searches = (tx.all('searches') as Row[])
        .filter((row) => row['userId'] === userId && row['removedAt'] === null)
        .toSorted((one, other) => (String(one['id']) < String(other['id']) ? -1 : 1));
      return ownRegions(tradie?.['locationId'] as string | null, searches as unknown as Search[], towns());
    },
    readCollectionDelta: async <Name extends CollectionName>(
      collection: Name,
      version: string,
      regions?: readonly string[],
    ) => {
      const puts: CollectionRow<Name>[] = [];
      const removes: string[] = [];
      const places = new Map<string, Place>();
      for (const line of changedAfter(collection, version, regions)) {
        const { entity_id: id } = line;
        places.set(id, placeOf(line));
        const row = tx.get(tableOf(collection), id);
        if (row === undefined || !isInCollection(tableOf(collection), row)) removes.push(id);
        else puts.push(cut(collection, row));
      }
      return { puts, removes, places };
    },
    findSegments: async (hashes) => new Set(hashes.filter((hash) => tx.get('shelf_segment', hash) !== undefined)),
    readSegment: async (collection, wanted) => {
      const kept = tx.get('shelf_segment', wanted) as SegmentLine | undefined;
      if (kept?.shelf !== collection) return undefined;
      const { hash, rows, bytes, br, gzip } = kept;
      return { hash, rows, bytes, br, gzip };
    },

    acquireLease: async (collection, { id, now, until }) => {
      await tx.hold(`shelf_manifest/${collection}`);
      const held = manifestOf(collection);
      if (held !== undefined && held.lease !== null && !(held.lease_until! < now)) return false;
      const fresh = { shelf: collection, version: 0, shape: '', segments: [], sealed_at: null };
      tx.put('shelf_manifest', collection, { ...(held ?? fresh), lease: id, lease_until: until });
      return true;
    },
    extendLease: async (collection, { id, until }) => {
      await tx.hold(`shelf_manifest/${collection}`);
      const held = manifestOf(collection);
      if (held?.lease !== id) return false;
      tx.put('shelf_manifest', collection, { ...held, lease_until: until });
      return true;
    },
    releaseLease: async (collection, { id }) => {
      await tx.hold(`shelf_manifest/${collection}`);
      const held = manifestOf(collection);
      if (held?.lease === id) tx.put('shelf_manifest', collection, { ...held, lease: null, lease_until: null });
    },
    switchManifest: async (collection, lease, { version, shape, entries }) => {
      await tx.hold(`shelf_manifest/${collection}`);
      if (manifestOf(collection)?.lease !== lease.id) return false;
      const manifest: ManifestLine = {
        shelf: collection,
        version: Number(version),
        shape,
        segments: entries,
        sealed_at: lease.now,
        lease: null,
        lease_until: null,
      };
      tx.put('shelf_manifest', collection, manifest);
      return true;
    },
    writeSegment: async (collection, at, segment) => {
      if (tx.get('shelf_segment', segment.hash) !== undefined) return;
      tx.put('shelf_segment', segment.hash, { ...segment, shelf: collection, sealed_at: at, unreferenced_at: null });
    },
    retireSegments: async (collection, hashes, { now, unreferencedBefore }) => {
      for (const row of segments().filter(({ shelf }) => shelf === collection)) {
        const stands = hashes.includes(row.hash);
        const since = stands ? null : (row.unreferenced_at ?? now);
        if (since !== null && since < unreferencedBefore) tx.remove('shelf_segment', row.hash);
        else if (since !== row.unreferenced_at) tx.put('shelf_segment', row.hash, { ...row, unreferenced_at: since });
      }
    },
  };
}
