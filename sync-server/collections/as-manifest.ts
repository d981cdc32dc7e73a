import type { Manifest, SegmentEntry } from '../../shared/protocol/segment.ts';
import type { StoredManifest } from '../store/collection-tables.ts';
import { regionOf } from './collection-ranges.ts';

/**
 * Makes the manifest as it is sent, without our edges: the regions that a person works in first, in the order given,
 * and newest first. `held`: of these regions alone, the person's own among them.
 */
export function asManifest(
  { version, entries }: StoredManifest,
  timeline: string,
  { own = [], held }: { own?: readonly string[]; held?: readonly string[] } = {},
): Manifest {
  const listed = held && new Set(held);
  const segments = entries
    .filter(({ start }) => listed?.has(regionOf(start) ?? '') ?? true)
    .map(({ start, hash, rows, bytes, from, to }): SegmentEntry => {
      const region = regionOf(start);
      return { hash, rows, bytes, from, to, ...(region !== undefined && { region }) };
    })
    .sort((one, other) => (one.to < other.to ? 1 : -1));
  // What else is listed of a part was asked for.
  const first = held ?? own;
  const near = first.flatMap((wanted) => segments.filter(({ region }) => region === wanted));
  const others = segments.filter(({ region }) => region === undefined || !first.includes(region));
  return {
    version,
    timeline,
    ...(near.length > 0 && { near: near.length }),
    ...(held !== undefined && { regions: [...held], elsewhere: rowsIn(entries) - rowsIn(segments) }),
    segments: [...near, ...others],
  };
}

export const rowsIn = (segments: readonly { rows: number }[]): number =>
  segments.reduce((sum, { rows }) => sum + rows, 0);
