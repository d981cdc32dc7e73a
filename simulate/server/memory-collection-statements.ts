import { collections, collectionColumns, type CollectionName } from '../../shared/tables/collections.ts';
import type { Asked, Answered, Statement } from './memory-statement.ts';
import type { MemoryTx } from './memory-store.ts';
import { isInCollection, type ChangeLine, type Row } from './memory-tables.ts';

/** The collection that a statement's table belongs to: each collection has a table of its own. */
const collectionOf = (table: string): CollectionName =>
  (Object.keys(collections) as CollectionName[]).find((name) => collections[name].table === table)!;

const standing = (tx: MemoryTx, collection: CollectionName) =>
  tx.all(collections[collection].table).filter((row) => isInCollection(collections[collection].table, row));
const cut = (collection: CollectionName, row: Row): Row =>
  Object.fromEntries(collectionColumns(collection).map((column) => [column, row[column]]));
const changedSince = (tx: MemoryTx, collection: unknown, version: unknown) =>
  (tx.all('sync_change') as ChangeLine[]).filter(
    (line) => line.shelf === collection && line.shelf_version !== null && line.shelf_version > Number(version),
  );

function readManifest({ tx, values: [collection] }: Asked): Answered {
  const kept = tx.get('shelf_manifest', String(collection));
  return {
    rows:
      kept === undefined
        ? []
        : [{ ...kept, version: String(kept['version']), timeline: tx.get('sync_meta', 'only')?.['lineage'] }],
  };
}

function collectionHeads({ tx }: Asked): Answered {
  const changed = (collection: unknown) =>
    changedSince(tx, collection, 0).reduce((most, line) => Math.max(most, line.shelf_version ?? 0), 0);
  return {
    rows: tx
      .all('shelf_manifest')
      .map(({ shelf: collection, version }) => ({
        shelf: collection,
        sealed: String(version),
        changed: String(changed(collection)),
      })),
  };
}

async function acquireLease({ tx, values: [collection, lease, until, now] }: Asked): Promise<Answered> {
  const key = String(collection);
  await tx.hold(`shelf_manifest/${key}`);
  const held = tx.get('shelf_manifest', key);
  if (held !== undefined && held['lease'] !== null && !((held['lease_until'] as Date) < (now as Date)))
    return { rows: [] };
  tx.put('shelf_manifest', key, {
    ...(held ?? { shelf: key, version: 0, shape: '', segments: [], sealed_at: null }),
    lease,
    lease_until: until,
  });
  return { rows: [{ one: 1 }] };
}

async function switchManifest({
  tx,
  values: [version, shape, segments, builtAt, collection, lease],
}: Asked): Promise<Answered> {
  const key = String(collection);
  await tx.hold(`shelf_manifest/${key}`);
  if (tx.get('shelf_manifest', key)?.['lease'] !== lease) return { rows: [] };
  tx.put('shelf_manifest', key, {
    shelf: key,
    version: Number(version),
    shape,
    segments: JSON.parse(String(segments)) as unknown,
    sealed_at: builtAt,
    lease: null,
    lease_until: null,
  });
  return { rows: [{ one: 1 }] };
}

function releaseLease({ tx, values: [collection, lease] }: Asked): Answered {
  const held = tx.get('shelf_manifest', String(collection));
  if (held?.['lease'] === lease)
    tx.put('shelf_manifest', String(collection), { ...held, lease: null, lease_until: null });
  return { rows: [] };
}

function readRows({ tx, caught: [table], sql }: Asked): Answered {
  // Bounds are read loosely; the caller compares the rows' keys again.
  const collection = collectionOf(String(table));
  return sql.includes('order by')
    ? { rows: [] }
    : { rows: standing(tx, collection).map((row) => cut(collection, row)) };
}

function changedKeys({ tx, values: [collection, version] }: Asked): Answered {
  const table = collections[collection as CollectionName].table;
  return {
    rows: changedSince(tx, collection, version).map(({ entity_id: id }) => {
      const row = tx.get(table, id);
      return { id, createdAt: row === undefined ? null : new Date(String(row['createdAt'])) };
    }),
  };
}

function delta({ tx, values }: Asked): Answered {
  const [collection, version] = values.slice(-2);
  const name = collection as CollectionName;
  const lines = changedSince(tx, name, version).toSorted(
    (one, other) => one.shelf_version! - other.shelf_version! || (one.entity_id < other.entity_id ? -1 : 1),
  );
  return {
    rows: lines.map(({ entity_id: id }) => {
      const row = tx.get(collections[name].table, id);
      if (row === undefined || !isInCollection(collections[name].table, row)) return { changedId: id, id: null };
      return { changedId: id, ...cut(name, row) };
    }),
  };
}

function retire({ tx, values: [standingHashes, now, collection] }: Asked): Answered {
  for (const row of tx.all('shelf_segment')) {
    if (row['shelf'] !== collection) continue;
    const stands = (standingHashes as string[]).includes(String(row['hash']));
    if ((row['unreferenced_at'] === null) !== stands)
      tx.put('shelf_segment', String(row['hash']), { ...row, unreferenced_at: stands ? null : now });
  }
  return { rows: [] };
}

export const collectionStatements: readonly Statement[] = [
  [
    /^select version, shape, segments, sealed_at, \(select meta\.lineage from sync_meta meta where not case .* end\) as timeline from shelf_manifest where shelf = \$1$/,
    readManifest,
  ],
  [/^select m\.shelf, m\.version as sealed, .* from shelf_manifest m$/, collectionHeads],
  [/^insert into shelf_manifest as held/, acquireLease],
  [/^update shelf_manifest set lease = null, lease_until = null where/, releaseLease],
  [/^update shelf_manifest set version/, switchManifest],
  [
    /^select tombstone_floor > \$1 as too_old from sync_meta$/,
    ({ tx, values: [version] }) => ({
      rows: [{ too_old: Number(tx.get('sync_meta', 'only')?.['tombstone_floor']) > Number(version) }],
    }),
  ],
  [
    /^select tombstone_floor > \$1 as below from sync_meta$/,
    ({ tx, values: [version] }) => ({
      rows: [{ below: Number(tx.get('sync_meta', 'only')?.['tombstone_floor']) > Number(version) }],
    }),
  ],
  [
    /^select count\(\*\)::int as n from \(select 1 from sync_change where shelf = \$1/,
    ({ tx, values: [collection, version, most] }) => ({
      rows: [{ n: Math.min(Number(most), changedSince(tx, collection, version).length) }],
    }),
  ],
  [
    /^select count\(\*\)::int as n from "(\w+)" t where/,
    ({ tx, caught: [table] }) => ({ rows: [{ n: standing(tx, collectionOf(String(table))).length }] }),
  ],
  [/^select c\.entity_id as id, t\.created_at as "createdAt"/, changedKeys],
  [/^select c\.entity_id as "changedId"/, delta],
  [/^select .* from "(\w+)" t where (?:true|"t"\."status" = \$1) and/, readRows],
  [
    /^select hash from shelf_segment where hash = any/,
    ({ tx, values: [hashes] }) => ({
      rows: (hashes as string[]).flatMap((hash) => (tx.get('shelf_segment', hash) === undefined ? [] : [{ hash }])),
    }),
  ],
  [
    /^select hash, rows, bytes, body_br as br, body_gzip as gzip from shelf_segment/,
    ({ tx, values: [hash, collection] }) => {
      const row = tx.get('shelf_segment', String(hash));
      return { rows: row?.['shelf'] === collection && row !== undefined ? [row] : [] };
    },
  ],
  [
    /^insert into shelf_segment/,
    ({ tx, values: [hash, collection, rows, bytes, br, gzip, at] }) => {
      if (tx.get('shelf_segment', String(hash)) === undefined)
        tx.put('shelf_segment', String(hash), {
          hash,
          shelf: collection,
          rows,
          bytes,
          br,
          gzip,
          sealed_at: at,
          unreferenced_at: null,
        });
      return { rows: [] };
    },
  ],
  [/^update shelf_segment set unreferenced_at/, retire],
  [
    /^delete from shelf_segment where shelf = \$1 and unreferenced_at </,
    ({ tx, values: [collection, before] }) => {
      for (const row of tx.all('shelf_segment')) {
        const since = row['unreferenced_at'] as Date | null;
        if (row['shelf'] === collection && since !== null && since < (before as Date))
          tx.remove('shelf_segment', String(row['hash']));
      }
      return { rows: [] };
    },
  ],
];
