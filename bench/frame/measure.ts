/** One line of `npm run bench`: what a workload printed as JSON, and a row of docs/performance.md. */
export interface Measure {
  /** The row of docs/performance.md it belongs to: `B1`. */
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  readonly median: number;
  /** Every run's own figure, in order. */
  readonly runs: readonly number[];
  /** The physical limit, measured in the same run; null where there is none. */
  readonly floor: number | null;
  /** `median / floor`. */
  readonly ratio: number | null;
  /** In words, as docs/performance.md has it: `<= 2 x floor`. */
  readonly target: string;
  /** Null: the row has no target of its own and is there to explain another. */
  readonly reached: boolean | null;
}

export interface Taken {
  readonly id: string;
  readonly name: string;
  readonly unit: string;
  readonly runs: readonly number[];
  readonly floors?: readonly number[];
  readonly target?: Target;
}

/** At most this much: by itself, or as a multiple of the floor. `atLeast`: the other way round. */
export type Target = { readonly words: string } & (
  | { readonly max: number }
  | { readonly maxOfFloor: number }
  | { readonly atLeast: number }
);

export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Nearest rank. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)];
  if (value === undefined) throw new Error('Nothing was measured.');
  return value;
}

const round = (value: number) => Number(value.toPrecision(4));

/** Summarises the runs of one workload, and says whether they reached the target. */
export function measure({ id, name, unit, runs, floors, target }: Taken): Measure {
  const middle = median(runs);
  const floor = floors === undefined ? null : median(floors);
  const ratio = floor === null ? null : middle / floor;
  return {
    id,
    name,
    unit,
    median: round(middle),
    runs: runs.map(round),
    floor: floor === null ? null : round(floor),
    ratio: ratio === null ? null : round(ratio),
    target: target?.words ?? '',
    reached: target === undefined ? null : isReached(target, middle, ratio),
  };
}

function isReached(target: Target, middle: number, ratio: number | null): boolean {
  if ('max' in target) return middle <= target.max;
  if ('atLeast' in target) return middle >= target.atLeast;
  if (ratio === null) throw new Error(`No floor was taken for "${target.words}".`);
  return ratio <= target.maxOfFloor;
}
