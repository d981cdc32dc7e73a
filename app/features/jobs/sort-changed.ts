interface Identified {
  readonly id: string;
}

interface Changes<Row> {
  readonly gone: ReadonlySet<Row>;
  readonly come: readonly Row[];
}

/**
 * What must leave `before` and be added to it, so that it has the rows of `after`. Quick where most rows are the same
 * objects in the same order, as in a collection of which a few rows have changed; true of any two lists.
 */
export function changesBetween<Row extends Identified>(before: readonly Row[], after: readonly Row[]): Changes<Row> {
  const gone = new Set<Row>();
  const come: Row[] = [];
  let at = 0;
  for (const old of before) {
    const row = after[at];
    if (row === old) at += 1;
    else {
      gone.add(old);
      if (row?.id === old.id) {
        come.push(row);
        at += 1;
      }
    }
  }
  return { gone, come: [...come, ...after.slice(at)] };
}

/**
 * Sorts as `toSorted` does, by an order in which no two rows are equal. Of the same list with a few rows changed only
 * these are put in their place, and a list of the same rows is given as it was.
 */
export function createSortChanged<Row extends Identified>(): (
  rows: readonly Row[],
  compare: Compare<Row>,
) => readonly Row[] {
  let last: { rows: readonly Row[]; compare: unknown; sorted: readonly Row[] } | undefined;
  return (rows, compare) => {
    const sorted =
      last?.compare === compare
        ? sortAgain(rows, last.sorted, changesBetween(last.rows, rows), compare)
        : rows.toSorted(compare);
    last = { rows, compare, sorted };
    return sorted;
  };
}

type Compare<Row> = (one: Row, other: Row) => number;

/** With more changes than this, all rows are sorted anew. */
const maxChanges = 400;

function sortAgain<Row>(
  rows: readonly Row[],
  sorted: readonly Row[],
  { gone, come }: Changes<Row>,
  compare: Compare<Row>,
): readonly Row[] {
  if (gone.size + come.length === 0) return sorted;
  if (gone.size + come.length > maxChanges) return rows.toSorted(compare);
  // Only the rows on the way to a place are read: to look at each of 20,000 takes longer than to move them.
  const next = [...sorted];
  for (const row of gone) {
    const at = placeOf(row, next, compare);
    // By this order it stands elsewhere than it was put: it is no order, and only the engine's sort has an answer.
    if (next[at] !== row) return rows.toSorted(compare);
    next.splice(at, 1);
  }
  for (const row of come) next.splice(placeOf(row, next, compare), 0, row);
  return next;
}

/** Where it stands in a sorted list, or would stand. */
function placeOf<Row>(row: Row, sorted: readonly Row[], compare: Compare<Row>): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sorted[middle]!;
    if (other === row) return middle;
    if (compare(other, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Gives a list as it was given before, as long as it has the same ids in the same order. */
export function createKeptOrder<Row extends Identified>(): (rows: readonly Row[]) => readonly Row[] {
  let kept: readonly Row[] = [];
  return (rows) => {
    const isSame = kept === rows || (kept.length === rows.length && kept.every(({ id }, at) => id === rows[at]?.id));
    if (!isSame) kept = rows;
    return kept;
  };
}
