import type { Manifest } from '../../shared/protocol/segment.ts';

/*
 * A feed that is too large to be held whole is held in part: its manifest then names the regions that it is of. They
 * are the person's own, and those that they have asked for last.
 */

/** The regions that a device with this manifest holds; none, where it holds all. */
export const heldRegions = (manifest: Manifest | null | undefined): readonly string[] => manifest?.regions ?? [];

/** The set as a text, for comparison: the person's own come first in it, and may come in another order. */
export const regionsKey = (regions: readonly string[]): string =>
  regions.length === 0 ? '' : JSON.stringify(regions.toSorted());

export const hasSameRegions = (one: Manifest | null, other: Manifest | null): boolean =>
  regionsKey(heldRegions(one)) === regionsKey(heldRegions(other));
