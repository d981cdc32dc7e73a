/** A form over columns of a row: how they are shown, and how what was typed reads as a row. */
export interface RowForm<Row extends object, Fields extends object> {
  readonly columns: readonly (keyof Row & string)[];
  readonly show: (row: Row) => Fields;
  readonly read: (fields: Fields) => Row;
  /** The form's fields that show a column, where they are not called as it is. */
  readonly shownBy: { readonly [Column in keyof Row]?: readonly (keyof Fields)[] };
}

/** What was typed, and the row as it was when the person began. */
export interface Edited<Row, Fields> {
  readonly fields: Fields;
  readonly base: Row;
}

const pick = <T extends object>(from: T, keys: readonly (keyof T)[]): Partial<T> =>
  Object.fromEntries(keys.map((key) => [key, from[key]])) as Partial<T>;

/** Leaves out the space around a text, and the order of a list. */
const plain = (value: unknown) =>
  Array.isArray(value) ? (value as string[]).toSorted().join('\n') : typeof value === 'string' ? value.trim() : value;
const same = (one: unknown, other: unknown) => plain(one) === plain(other);

/** A form to begin with: the row as it is, or as a rejected edit would have it. */
export function beginEdit<Row extends object, Fields extends object>(
  form: RowForm<Row, Fields>,
  row: Row,
  rejectedArgs: unknown,
): Edited<Row, Fields> {
  const { set, base } = (rejectedArgs ?? {}) as { set?: Partial<Row>; base?: Partial<Row> };
  const here = pick(row, form.columns) as Row;
  return { fields: form.show({ ...here, ...set }), base: { ...here, ...base } };
}

/** Only what the person changed: other people's changes to the rest are kept. */
export function changesOf<Row extends object, Fields extends object>(
  form: RowForm<Row, Fields>,
  { fields, base }: Edited<Row, Fields>,
): Partial<Row> {
  const wanted = form.read(fields);
  return pick(
    wanted,
    form.columns.filter((column) => !same(wanted[column], base[column])),
  );
}

/** The mutation's args: only what was changed, and what was there when the person began. */
export function argsOfEdit<Row extends object, Fields extends object>(
  form: RowForm<Row, Fields>,
  id: string,
  draft: Edited<Row, Fields>,
): { id: string; set: Partial<Row>; base: Partial<Row> } {
  const set = changesOf(form, draft);
  return { id, set, base: pick(draft.base, Object.keys(set) as (keyof Row)[]) };
}

/** The current values of the fields that both sides have changed; none where both came to the same. */
export function conflictsOf<Row extends object, Fields extends object>(
  form: RowForm<Row, Fields>,
  draft: Edited<Row, Fields>,
  row: Row,
): Partial<Row> {
  const mine = changesOf(form, draft);
  return pick(
    row,
    form.columns.filter(
      (column) => column in mine && !same(row[column], draft.base[column]) && !same(row[column], mine[column]),
    ),
  );
}

/** Puts what was changed elsewhere into the form: where the person typed nothing, the row as it is now is shown. */
export function rebase<Row extends object, Fields extends object, Draft extends Edited<Row, Fields>>(
  form: RowForm<Row, Fields>,
  draft: Draft,
  row: Row,
): Draft {
  const mine = changesOf(form, draft);
  const moved = form.columns.filter((column) => !(column in mine) && !same(row[column], draft.base[column]));
  return moved.length === 0 ? draft : acceptTheirs(form, draft, pick(row, moved));
}

/** The person's own values stay, and `base` becomes the current ones. */
export const keepMine = <Row, Draft extends Edited<Row, unknown>>(draft: Draft, theirs: Partial<Row>): Draft => ({
  ...draft,
  base: { ...draft.base, ...theirs },
});

/** The other values in these columns; the rest of what was typed stays. */
export function acceptTheirs<Row extends object, Fields extends object, Draft extends Edited<Row, Fields>>(
  form: RowForm<Row, Fields>,
  draft: Draft,
  theirs: Partial<Row>,
): Draft {
  const columns = form.columns.filter((column) => column in theirs);
  const base = { ...draft.base, ...pick(theirs as Row, columns) };
  const keys = columns.flatMap((column) => form.shownBy[column] ?? [column as unknown as keyof Fields]);
  return { ...draft, base, fields: { ...draft.fields, ...pick(form.show(base), keys) } };
}
