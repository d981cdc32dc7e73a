import { packSegment, rangeKey, segmentRows, type Manifest } from '../../../shared/protocol/segment.ts';
import { makeJob } from '../../../shared/testing/make.ts';
import { collectionColumns, type CollectionName, type CollectionRow } from '../../../shared/tables/collections.ts';
import { digestBytes } from '../digest-bytes.ts';

export interface BuiltSnapshot {
  manifest: Manifest;
  texts: Map<string, string>;
}

type Ranged<Name extends CollectionName> = CollectionRow<Name> & { id: string; createdAt: string };

/** A collection's snapshot as the server would build it: segments by age, listed newest first. */
export async function buildSnapshot<Name extends CollectionName>(
  collection: Name,
  version: string,
  rows: readonly Ranged<Name>[],
  size = segmentRows,
  timeline = 'first',
): Promise<BuiltSnapshot> {
  const byAge = rows.toSorted((one, other) => (rangeKey(one) < rangeKey(other) ? -1 : 1));
  const snapshot: BuiltSnapshot = { manifest: { version, timeline, segments: [] }, texts: new Map() };
  for (let at = 0; at < byAge.length; at += size) {
    const part = byAge.slice(at, at + size);
    const text = packSegment(collection, part);
    const hash = await digestBytes(new TextEncoder().encode(text));
    snapshot.texts.set(hash, text);
    snapshot.manifest.segments.unshift({
      hash,
      rows: part.length,
      bytes: text.length,
      from: rangeKey(part[0]!),
      to: rangeKey(part.at(-1)!),
    });
  }
  return snapshot;
}

/** An active job as it is in the feed. */
export function makeFeedJob(changes: Partial<CollectionRow<'feed'>> = {}): CollectionRow<'feed'> {
  const job = makeJob(changes);
  return Object.fromEntries(
    collectionColumns('feed').map((column) => [column, job[column as keyof typeof job]]),
  ) as unknown as CollectionRow<'feed'>;
}

const createdAt = '2026-01-01T00:00:00.000Z';

/** A town as it is in the reference lists. */
export const makeTown = (id: string): CollectionRow<'reference'> => ({
  id,
  kind: 'location',
  name: id,
  region: 'R',
  latitude: null,
  longitude: null,
  isApproximate: null,
  createdAt,
});

/** A business as it is in the directory. */
export const makeBusiness = (id: string): CollectionRow<'directory'> => ({
  id,
  businessName: id,
  logo: '',
  description: '',
  categoryIds: [],
  locationId: 'x',
  isVerified: false,
  createdAt,
});
