import { packSegment, rangeKey, segmentRows, type Manifest } from '../../shared/protocol/segment.ts';
import type { Delta, ExchangeRequest } from '../../shared/protocol/exchange.ts';
import type { PrivateTableName } from '../../shared/tables/index.ts';
import {
  collectionColumns,
  collectionNames,
  collections,
  type CollectionName,
  type CollectionRow,
} from '../../shared/tables/collections.ts';
import type { MemoryRows } from '../../shared/testing/memory-tx.ts';
import { looseRows, type LooseRow } from './fake-visibility.ts';

export interface FakeCollections {
  note(table: PrivateTableName, was: LooseRow | undefined, is: LooseRow | undefined, version: number): void;
  answer(asked: Pick<ExchangeRequest, 'shelves' | 'timelines'>, hasSubscription: boolean): Promise<Delta['shelves']>;
  /** Builds a snapshot of the collection as it is. */
  manifest(name: CollectionName): Promise<Manifest>;
  /** The text of a segment; undefined for a hash that no snapshot had. */
  segment(hash: string): string | undefined;
  /** The rows as they are, for a test to compare with. */
  rowsOf(name: CollectionName): LooseRow[];
  /** The reference list, which is in no private table. */
  setReference(rows: readonly LooseRow[]): void;
}

export function fakeCollections(
  rows: () => MemoryRows,
  version: () => number,
  timeline: () => string,
): FakeCollections {
  const changed = new Map<string, { name: CollectionName; id: string; version: number }>();
  const snapshot = new Map<string, string>();
  let reference: readonly LooseRow[] = [];

  const stands = (name: CollectionName, row: LooseRow) =>
    Object.entries(collections[name].where).every(([column, value]) => row[column] === value);
  const cut = (name: CollectionName, row: LooseRow) =>
    Object.fromEntries(collectionColumns(name).map((column) => [column, row[column]])) as LooseRow;
  const all = (name: CollectionName) => {
    const { table } = collections[name];
    return table === 'reference' ? [...reference] : [...looseRows(rows(), table).values()];
  };
  const rowsOf = (name: CollectionName) =>
    all(name)
      .filter((row) => stands(name, row))
      .map((row) => cut(name, row))
      .toSorted((one, other) => (key(one) < key(other) ? 1 : -1));

  async function manifest(name: CollectionName): Promise<Manifest> {
    const segments: Manifest['segments'] = [];
    const current = rowsOf(name);
    for (let at = 0; at < current.length; at += segmentRows) {
      const part = current.slice(at, at + segmentRows);
      const text = packSegment(name, part as unknown as CollectionRow<typeof name>[]);
      const hash = await sha256(text);
      snapshot.set(hash, text);
      segments.push({ hash, rows: part.length, bytes: text.length, from: key(part.at(-1)), to: key(part[0]) });
    }
    return { version: String(version()), timeline: timeline(), segments };
  }

  function changesSince(name: CollectionName, since: number) {
    const ids = [...changed.values()]
      .filter((change) => change.name === name && change.version > since)
      .map(({ id }) => id);
    const current = new Map(rowsOf(name).map((row) => [row.id, row]));
    return {
      puts: ids.flatMap((id) => current.get(id) ?? []),
      removes: ids.filter((id) => !current.has(id)),
      version: String(version()),
      timeline: timeline(),
    };
  }

  return {
    rowsOf,
    manifest,
    segment: (hash) => snapshot.get(hash),
    setReference: (list) => void (reference = list),
    note: (table, was, is, at) => {
      for (const name of collectionNames) {
        if (collections[name].table !== table) continue;
        const row = [was, is].find((either) => either !== undefined && stands(name, either));
        if (row !== undefined) changed.set(`${name}/${row.id}`, { name, id: row.id, version: at });
      }
    },
    answer: async ({ shelves: asked, timelines }, hasSubscription) => {
      const answers: Record<string, unknown> = {};
      for (const name of collectionNames) {
        const since = asked[name];
        if (since === undefined) continue;
        if (collections[name].readers === 'subscription' && !hasSubscription) answers[name] = { denied: true };
        else if (since === null || Number(since) > version() || timelines?.[name] !== timeline())
          answers[name] = { manifest: await manifest(name) };
        else answers[name] = changesSince(name, Number(since));
      }
      return answers as Delta['shelves'];
    },
  };
}

const key = (row: LooseRow | undefined) => rangeKey({ id: String(row?.id), createdAt: String(row?.['createdAt']) });

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
