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
 * A part of a collection, from its lower edge to the next one's. The first begins with '' and the last has no end, so
 * every range key is in exactly one. Edges stay where they are however rows come and go in between: that keeps old
 * segments untouched.
 */
export interface Range {
  readonly start: string;
  readonly rows: number;
}

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
