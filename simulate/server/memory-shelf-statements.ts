import { shelves, shelfColumns, type ShelfName } from '../../shared/tables/shelves.ts';
import type { Asked, Answered, Statement } from './memory-statement.ts';
import type { MemoryTx } from './memory-store.ts';
import { standsOnShelf, type ChangeLine, type Row } from './memory-tables.ts';

/** Which shelf a statement over its table is about: each shelf has a table of its own. */
const shelfOf = (table: string): ShelfName => (Object.keys(shelves) as ShelfName[]).find((name) => shelves[name].table === table)!;

const standing = (tx: MemoryTx, shelf: ShelfName) => tx.all(shelves[shelf].table).filter((row) => standsOnShelf(shelves[shelf].table, row));
const cut = (shelf: ShelfName, row: Row): Row => Object.fromEntries(shelfColumns(shelf).map((column) => [column, row[column]]));
const changedSince = (tx: MemoryTx, shelf: unknown, version: unknown) =>
  (tx.all('sync_change') as ChangeLine[]).filter((line) => line.shelf === shelf && line.shelf_version !== null && line.shelf_version > Number(version));

function readManifest({ tx, values: [shelf] }: Asked): Answered {
  const kept = tx.get('shelf_manifest', String(shelf));
  return { rows: kept === undefined ? [] : [{ ...kept, version: String(kept['version']), timeline: tx.get('sync_meta', 'only')?.['lineage'] }] };
}

function shelfHeads({ tx }: Asked): Answered {
  const changed = (shelf: unknown) => changedSince(tx, shelf, 0).reduce((most, line) => Math.max(most, line.shelf_version ?? 0), 0);
  return { rows: tx.all('shelf_manifest').map(({ shelf, version }) => ({ shelf, sealed: String(version), changed: String(changed(shelf)) })) };
}

async function takeLease({ tx, values: [shelf, lease, until, now] }: Asked): Promise<Answered> {
  const key = String(shelf);
  await tx.hold(`shelf_manifest/${key}`);
  const held = tx.get('shelf_manifest', key);
  if (held !== undefined && held['lease'] !== null && !((held['lease_until'] as Date) < (now as Date))) return { rows: [] };
  tx.put('shelf_manifest', key, { ...(held ?? { shelf: key, version: 0, shape: '', segments: [], sealed_at: null }), lease, lease_until: until });
  return { rows: [{ one: 1 }] };
}

async function switchManifest({ tx, values: [version, shape, segments, sealedAt, shelf, lease] }: Asked): Promise<Answered> {
  const key = String(shelf);
  await tx.hold(`shelf_manifest/${key}`);
  if (tx.get('shelf_manifest', key)?.['lease'] !== lease) return { rows: [] };
  tx.put('shelf_manifest', key, { shelf: key, version: Number(version), shape, segments: JSON.parse(String(segments)) as unknown, sealed_at: sealedAt, lease: null, lease_until: null });
  return { rows: [{ one: 1 }] };
}

function giveLeaseBack({ tx, values: [shelf, lease] }: Asked): Answered {
  const held = tx.get('shelf_manifest', String(shelf));
  if (held?.['lease'] === lease) tx.put('shelf_manifest', String(shelf), { ...held, lease: null, lease_until: null });
  return { rows: [] };
}

function readRows({ tx, caught: [table], sql }: Asked): Answered {
  // Bounds are read generously; the caller tells rows apart by their keys again.
  const shelf = shelfOf(String(table));
  return sql.includes('order by') ? { rows: [] } : { rows: standing(tx, shelf).map((row) => cut(shelf, row)) };
}

function changedKeys({ tx, values: [shelf, version] }: Asked): Answered {
  const table = shelves[shelf as ShelfName].table;
  return {
    rows: changedSince(tx, shelf, version).map(({ entity_id: id }) => {
      const row = tx.get(table, id);
      return { id, createdAt: row === undefined ? null : new Date(String(row['createdAt'])) };
    }),
  };
}

function delta({ tx, values }: Asked): Answered {
  const [shelf, version] = values.slice(-2);
  const name = shelf as ShelfName;
  const lines = changedSince(tx, name, version).toSorted((one, other) => one.shelf_version! - other.shelf_version! || (one.entity_id < other.entity_id ? -1 : 1));
  return {
    rows: lines.map(({ entity_id: id }) => {
      const row = tx.get(shelves[name].table, id);
      if (row === undefined || !standsOnShelf(shelves[name].table, row)) return { changedId: id, id: null };
      return { changedId: id, ...cut(name, row) };
    }),
  };
}

function retire({ tx, values: [standingHashes, now, shelf] }: Asked): Answered {
  for (const row of tx.all('shelf_segment')) {
    if (row['shelf'] !== shelf) continue;
    const stands = (standingHashes as string[]).includes(String(row['hash']));
    if ((row['unreferenced_at'] === null) !== stands) tx.put('shelf_segment', String(row['hash']), { ...row, unreferenced_at: stands ? null : now });
  }
  return { rows: [] };
}

export const shelfStatements: readonly Statement[] = [
  [/^select version, shape, segments, sealed_at, \(select meta\.lineage from sync_meta meta where not case .* end\) as timeline from shelf_manifest where shelf = \$1$/, readManifest],
  [/^select m\.shelf, m\.version as sealed, .* from shelf_manifest m$/, shelfHeads],
  [/^insert into shelf_manifest as held/, takeLease],
  [/^update shelf_manifest set lease = null, lease_until = null where/, giveLeaseBack],
  [/^update shelf_manifest set version/, switchManifest],
  [/^select tombstone_floor > \$1 as too_old from sync_meta$/, ({ tx, values: [version] }) => ({ rows: [{ too_old: Number(tx.get('sync_meta', 'only')?.['tombstone_floor']) > Number(version) }] })],
  [/^select tombstone_floor > \$1 as below from sync_meta$/, ({ tx, values: [version] }) => ({ rows: [{ below: Number(tx.get('sync_meta', 'only')?.['tombstone_floor']) > Number(version) }] })],
  [/^select count\(\*\)::int as n from \(select 1 from sync_change where shelf = \$1/, ({ tx, values: [shelf, version, most] }) => ({ rows: [{ n: Math.min(Number(most), changedSince(tx, shelf, version).length) }] })],
  [/^select count\(\*\)::int as n from "(\w+)" t where/, ({ tx, caught: [table] }) => ({ rows: [{ n: standing(tx, shelfOf(String(table))).length }] })],
  [/^select c\.entity_id as id, t\.created_at as "createdAt"/, changedKeys],
  [/^select c\.entity_id as "changedId"/, delta],
  [/^select .* from "(\w+)" t where (?:true|"t"\."status" = \$1) and/, readRows],
  [/^select hash from shelf_segment where hash = any/, ({ tx, values: [hashes] }) => ({ rows: (hashes as string[]).flatMap((hash) => (tx.get('shelf_segment', hash) === undefined ? [] : [{ hash }])) })],
  [/^select hash, rows, bytes, body_br as br, body_gzip as gzip from shelf_segment/, ({ tx, values: [hash, shelf] }) => {
    const row = tx.get('shelf_segment', String(hash));
    return { rows: row?.['shelf'] === shelf && row !== undefined ? [row] : [] };
  }],
  [/^insert into shelf_segment/, ({ tx, values: [hash, shelf, rows, bytes, br, gzip, at] }) => {
    if (tx.get('shelf_segment', String(hash)) === undefined) tx.put('shelf_segment', String(hash), { hash, shelf, rows, bytes, br, gzip, sealed_at: at, unreferenced_at: null });
    return { rows: [] };
  }],
  [/^update shelf_segment set unreferenced_at/, retire],
  [/^delete from shelf_segment where shelf = \$1 and unreferenced_at </, ({ tx, values: [shelf, before] }) => {
    for (const row of tx.all('shelf_segment')) {
      const since = row['unreferenced_at'] as Date | null;
      if (row['shelf'] === shelf && since !== null && since < (before as Date)) tx.remove('shelf_segment', String(row['hash']));
    }
    return { rows: [] };
  }],
];
