import { must } from '../../shared/lib/must.ts';
import { segmentRows } from '../../shared/protocol/segment.ts';

/** A range grows to this many rows before it is cut, and shrinks to this few before it joins a neighbour. */
export const rangeLimits = { max: segmentRows * 1.5, fewest: segmentRows / 2 } as const;

/**
 * The newest range is kept short: on a slow network the first screenful of a new device is there after 50 rows, not
 * after 500, and the jobs of an ordinary day rebuild only these. It is joined with no neighbour, and past `max` all but
 * the newest `cut` leave it.
 */
export const headLimits = { cut: 50, max: 300 } as const;

/**
 * A collection with more rows than this is cut by regions, where its rows have one, and stays so. Below it, a region of
 * its own for each would cost more requests than it saves bytes.
 */
export const wholeLimit = 8 * segmentRows;

/**
 * A collection that is cut by regions and has more rows than this is held by devices in part: the regions that a person
 * works in, and those that they ask for. It is the largest that is measured on phones (B16, docs/performance.md).
 */
export const heldWholeUpTo = 50_000;

/**
 * A part of a collection, from its lower edge to the next one's. The first begins with '' and the last has no end, so
 * every range key is in exactly one. Edges stay where they are however rows come and go in between: that keeps old
 * segments untouched. Where the collection is cut by regions, each region's first range begins with the region and `/`,
 * and its other edges with the same before the key.
 */
export interface Range {
  readonly start: string;
  readonly rows: number;
}

/** The edge from which a region's first range begins; without a region, from which the collection does. */
export const firstEdge = (region: string | undefined): string => (region === undefined ? '' : `${region}/`);

/** The region of an edge; undefined where the collection is not cut by regions. */
export function regionOf(edge: string): string | undefined {
  const end = edge.indexOf('/');
  return end === -1 ? undefined : edge.slice(0, end);
}

/** The range key in an edge; '' in the first of a region or a collection. */
export const keyOf = (edge: string): string => edge.slice(edge.indexOf('/') + 1);

/** Which of the ranges, in order of their edges, holds the key. */
export function rangeOf(ranges: readonly Range[], key: string): number {
  let low = 0;
  let high = ranges.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (must(ranges[middle], 'a range').start <= key) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Neighbours to be built as one segment: `[from, to]` indexes of the given ranges, both included, in order, every range
 * in one of them.
 */
export function joinRanges(ranges: readonly Range[]): [from: number, to: number][] {
  const last = ranges.length - 1;
  const head = ranges[last]?.rows ?? 0;
  const standsAlone = last > 0 && head > 0 && head <= headLimits.max;
  return standsAlone ? [...joinAll(ranges.slice(0, last)), [last, last]] : joinAll(ranges);
}

function joinAll(ranges: readonly Range[]): [from: number, to: number][] {
  const groups = ranges.map(({ rows }, at) => ({ from: at, to: at, rows }));
  for (;;) {
    const at = groups.findIndex(
      (group, index) => group.rows < rangeLimits.fewest && partnerOf(groups, index) !== undefined,
    );
    if (at === -1) return groups.map(({ from, to }) => [from, to]);
    const first = Math.min(at, must(partnerOf(groups, at), 'a partner'));
    const [one, other] = [must(groups[first], 'a group'), must(groups[first + 1], 'its neighbour')];
    groups.splice(first, 2, { from: one.from, to: other.to, rows: one.rows + other.rows });
  }
}

/** The smaller neighbour that the group may join without having to be cut again. */
function partnerOf(groups: readonly { rows: number }[], at: number): number | undefined {
  const rowsAt = (index: number) => groups[index]?.rows ?? Number.POSITIVE_INFINITY;
  const partner = rowsAt(at - 1) <= rowsAt(at + 1) ? at - 1 : at + 1;
  return rowsAt(partner) + rowsAt(at) <= rangeLimits.max ? partner : undefined;
}

/**
 * Sizes of the pieces that the newest range is cut into, oldest first. `isOnly`: it is the whole collection, which may
 * be one piece.
 */
export function cutHead(rows: number, isOnly: boolean): number[] {
  return rows <= (isOnly ? rangeLimits.max : headLimits.max)
    ? [rows]
    : [...cutSizes(rows - headLimits.cut), headLimits.cut];
}

/**
 * Sizes of the pieces that so many rows are cut into: as they are up to the limit, else equal parts near the wanted
 * size.
 */
export function cutSizes(rows: number): number[] {
  if (rows <= rangeLimits.max) return [rows];
  const parts = Math.round(rows / segmentRows);
  return Array.from(
    { length: parts },
    (_, part) => Math.floor(((part + 1) * rows) / parts) - Math.floor((part * rows) / parts),
  );
}
