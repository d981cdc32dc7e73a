import type { MetaEntry, OutboxEntry, PhotoEntry, RejectedEntry, ServerRow } from '../../app/db/person-db.ts';
import { privateTableNames, type PrivateTableName } from '../../shared/tables/index.ts';
import { unpackCookie, type Cookie } from '../../sync-server/sync/cookie.ts';
import type { Disk } from '../device/disk.ts';
import type { Row } from '../../sync-server/testing/memory-store/memory-tables.ts';

export type PrivateRows = Record<PrivateTableName, Row[]>;

/** The contents of a disk for one person, between two transactions: what any tab could see now. */
export interface DiskSnapshot {
  privateRows: PrivateRows;
  shadow: readonly ServerRow[];
  outbox: readonly OutboxEntry[];
  refused: readonly RejectedEntry[];
  photos: readonly PhotoEntry[];
  applied: ReadonlySet<string>;
  /** The cookie as text, and parsed: the simulator alone may open it. */
  cookie: string | undefined;
  place: Cookie | undefined;
  /** A snapshot is still loading. */
  isLoading: boolean;
  epoch: number | undefined;
}

export const snapshotStores = [...privateTableNames, 'shadow', 'outbox', 'refused', 'photos', 'meta'] as const;

/** Undefined while a write is under way. */
export function readSnapshot(disk: Disk, database: string): DiskSnapshot | undefined {
  if (disk.isBeingWritten(database, snapshotStores)) return undefined;
  const read = <T>(store: string) => disk.read(database, store) as readonly T[];
  const { meta, cookie, epoch } = readMeta(disk, database);
  return {
    privateRows: Object.fromEntries(
      privateTableNames.map((table) => [table, read<Row>(table)]),
    ) as unknown as PrivateRows,
    shadow: read('shadow'),
    outbox: read('outbox'),
    refused: read('refused'),
    photos: read('photos'),
    applied: new Set(((meta.get('applied') ?? []) as { uid: string }[]).map(({ uid }) => uid)),
    cookie,
    place: cookie === undefined ? undefined : unpackCookie(cookie),
    isLoading: cookie === undefined || meta.has('snapshot'),
    epoch,
  };
}

/** The engine's meta store, for a caller that knows that no write to it is under way. */
export function readMeta(disk: Disk, database: string) {
  const meta = new Map((disk.read(database, 'meta') as readonly MetaEntry[]).map(({ key, value }) => [key, value]));
  return {
    meta,
    cookie: meta.get('cookie') as string | undefined,
    epoch: (meta.get('leader') as { epoch: number } | undefined)?.epoch,
  };
}

/** The private rows as the server last sent them: server rows restored, nothing replayed. */
export function withServerRows({ privateRows, shadow: serverRows }: DiskSnapshot): PrivateRows {
  const rows = Object.fromEntries(
    privateTableNames.map((table) => [table, new Map(privateRows[table].map((row) => [String(row['id']), row]))]),
  ) as Record<PrivateTableName, Map<string, Row>>;
  for (const { table, id, row } of serverRows) {
    if (row === null) rows[table].delete(id);
    else rows[table].set(id, row as Row);
  }
  const byId = (one: Row, other: Row) => (String(one['id']) < String(other['id']) ? -1 : 1);
  return Object.fromEntries(
    privateTableNames.map((table) => [table, [...rows[table].values()].toSorted(byId)]),
  ) as PrivateRows;
}

const texts = new WeakMap<Row, string>();

/** A row as text, whatever the order of its columns; cached, because what is on a disk is never changed in place. */
export function asText(row: Row): string {
  const known = texts.get(row);
  if (known !== undefined) return known;
  const text = JSON.stringify(
    Object.keys(row)
      .toSorted()
      .map((column) => [column, row[column]]),
  );
  texts.set(row, text);
  return text;
}
