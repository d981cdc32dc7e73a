import { createHash } from 'node:crypto';
import type { CollectionAnswer } from '../../shared/protocol/exchange.ts';
import { unpackSegment, type Manifest } from '../../shared/protocol/segment.ts';
import type { CollectionName } from '../../shared/tables/collections.ts';

type AnyRow = { id: string } & Record<string, unknown>;

export interface CollectionDevice {
  /** Sent in the next request; null before the first manifest. */
  version: string | null;
  /** The timeline of that version; undefined for an older app. */
  timeline: string | undefined;
  /** The regions that it wants besides its person's own; undefined for an app that holds all. */
  wants: readonly string[] | undefined;
  /** What it says of regions in its next request. */
  asks(): readonly string[] | undefined;
  /** What the device would show, by id. */
  rows(): Map<string, AnyRow>;
  /** Segments it had to download so far. */
  downloaded: string[];
  /** Applies an answer as the protocol says; `true` where it should ask again, because a manifest came. */
  apply(answer: CollectionAnswer, download: (hash: string) => Promise<string>): Promise<boolean>;
}

/**
 * The device's side of one collection as SPEC.md P9 has it, written apart from the app's own so that neither can hide
 * the other's errors.
 */
export function createCollectionDevice(collection: CollectionName): CollectionDevice {
  let manifest: Manifest = { version: '0', segments: [] };
  const texts = new Map<string, string>();
  const changedRows = new Map<string, AnyRow>();
  const removed = new Set<string>();
  const device: CollectionDevice = {
    version: null,
    timeline: undefined,
    wants: undefined,
    asks: () => (device.version === null || device.wants === undefined ? device.wants : (manifest.regions ?? [])),
    downloaded: [],
    rows() {
      const rows = new Map<string, AnyRow>();
      for (const { hash } of manifest.segments) {
        for (const row of unpackSegment(collection, texts.get(hash) ?? '')) rows.set(row.id, row as unknown as AnyRow);
      }
      for (const id of removed) rows.delete(id);
      for (const [id, row] of changedRows) rows.set(id, row);
      return rows;
    },
    async apply(answer, download) {
      if ('denied' in answer) {
        manifest = { version: '0', segments: [] };
        device.version = null;
        for (const store of [texts, changedRows, removed]) store.clear();
        return false;
      }
      if ('manifest' in answer) {
        for (const { hash } of answer.manifest.segments) {
          if (texts.has(hash)) continue;
          const text = await download(hash);
          if (createHash('sha256').update(text).digest('hex') !== hash)
            throw new Error(`segment ${hash} is not what its name says`);
          texts.set(hash, text);
          device.downloaded.push(hash);
        }
        manifest = answer.manifest;
        [device.version, device.timeline] = [manifest.version, manifest.timeline];
        changedRows.clear();
        removed.clear();
        return true;
      }
      for (const row of answer.puts) {
        removed.delete(row.id);
        changedRows.set(row.id, row as unknown as AnyRow);
      }
      for (const id of answer.removes) {
        changedRows.delete(id);
        removed.add(id);
      }
      [device.version, device.timeline] = [answer.version, answer.timeline];
      return false;
    },
  };
  return device;
}
