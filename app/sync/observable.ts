export interface Observable<T> {
  get(): T;
  /** Returns the function that unsubscribes. Fits `useSyncExternalStore`. */
  subscribe(hear: () => void): () => void;
}

export interface Settable<T> extends Observable<T> {
  set(changes: Partial<T>): void;
}

/** One value that others may watch. An equal value notifies no listener. */
export function createObservable<T extends object>(start: T): Settable<T> {
  let value = start;
  const heard = new Set<() => void>();
  return {
    get: () => value,
    subscribe: (hear) => {
      heard.add(hear);
      return () => void heard.delete(hear);
    },
    set: (changes) => {
      const keys = Object.keys(changes) as (keyof T)[];
      if (keys.every((key) => Object.is(value[key], changes[key]))) return;
      value = { ...value, ...changes };
      for (const hear of heard) hear();
    },
  };
}
