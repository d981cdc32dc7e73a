/**
 * How often each thing really happened: a batch of seeds without a fault, a rejection or a conflict proves nothing
 * about it.
 */
export interface Counters {
  count(what: string): void;
  add(other: Readonly<Record<string, number>>): void;
  all(): Record<string, number>;
}

export function createCounters(): Counters {
  const counts = new Map<string, number>();
  const bump = (what: string, by: number) => void counts.set(what, (counts.get(what) ?? 0) + by);
  return {
    count: (what) => bump(what, 1),
    add: (other) => Object.entries(other).forEach(([what, by]) => bump(what, by)),
    all: () => Object.fromEntries([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  };
}
