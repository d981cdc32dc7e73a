import type { Manifest, SegmentEntry } from '../../shared/protocol/segment.ts';
import type { StoredManifest } from '../store/collection-tables.ts';
import { regionOf } from './collection-ranges.ts';

/**
 * Makes the manifest as it is sent, without our edges: the regions that a person works in first, in the order given,
 * and newest first.
 */
export function asManifest(
  { version, entries }: StoredManifest,
  timeline: string,
  ownRegions: readonly string[] = [],
): Manifest {
  const segments = entries
    .map(({ start, hash, rows, bytes, from, to }): SegmentEntry => {
      const region = regionOf(start);
      return { hash, rows, bytes, from, to, ...(region !== undefined && { region }) };
    })
    .sort((one, other) => (one.to < other.to ? 1 : -1));
  const own = ownRegions.flatMap((wanted) => segments.filter(({ region }) => region === wanted));
  const others = segments.filter(({ region }) => region === undefined || !ownRegions.includes(region));
  return { version, timeline, ...(own.length > 0 && { near: own.length }), segments: [...own, ...others] };
}
