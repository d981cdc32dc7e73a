interface Identified {
  readonly id: string;
}

/** With more ids hidden at once than this, each row is looked at. */
const maxAtOnce = 8;

/**
 * Leaves the rows that are not hidden. Of the same rows, with a few more hidden, only these are taken out: to ask for
 * each of 20,000 takes most of what it takes until the list is without them.
 */
export function createLeaveOutHidden<Row extends Identified>(): (
  rows: readonly Row[],
  hidden: ReadonlySet<string>,
) => readonly Row[] {
  let last: { rows: readonly Row[]; hidden: ReadonlySet<string>; left: readonly Row[] } | undefined;
  return (rows, hidden) => {
    const more = last?.rows === rows ? addedTo(last.hidden, hidden) : undefined;
    let left = rows;
    if (last !== undefined && more !== undefined) left = more.reduce(withoutId, last.left);
    else if (hidden.size > 0) left = rows.filter(({ id }) => !hidden.has(id));
    last = { rows, hidden, left };
    return left;
  };
}

/** What `after` has beyond `before`; undefined where it lacks something, or has much more. */
function addedTo(before: ReadonlySet<string>, after: ReadonlySet<string>): readonly string[] | undefined {
  if (after.size < before.size || after.size > before.size + maxAtOnce) return undefined;
  const more = [...after].filter((id) => !before.has(id));
  return before.size + more.length === after.size ? more : undefined;
}

function withoutId<Row extends Identified>(rows: readonly Row[], id: string): readonly Row[] {
  const at = rows.findIndex((row) => row.id === id);
  return at === -1 ? rows : rows.toSpliced(at, 1);
}
