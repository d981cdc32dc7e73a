/** A row of a list and its place, in pixels; its size with what is between it and the next. As a virtualizer has it. */
export interface MeasuredRow {
  readonly key: string | number | bigint;
  readonly index: number;
  readonly size: number;
  readonly start: number;
  readonly end: number;
  readonly lane: number;
}

export interface MeasuredRows {
  /** How many items a row has: in another window the rows are others. */
  readonly columns: number;
  readonly rows: MeasuredRow[];
  /** Of the whole list, in pixels; undefined where only its beginning has been seen. */
  readonly height: number | undefined;
}

const kept = new WeakMap<object, MeasuredRows>();

/** Rows as they were when a list was last seen, kept by an object that lives as long as the app does. */
export function measuredRows(keeper: object): MeasuredRows | undefined {
  return kept.get(keeper);
}

export function keepMeasuredRows(keeper: object, rows: MeasuredRows): void {
  kept.set(keeper, rows);
}
