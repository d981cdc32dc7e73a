import { createListeners } from './listeners.ts';

/** A value with subscribers. `current` gives the same object until it changes. */
export interface Watched<T> {
  current(): T;
  subscribe(listener: () => void): () => void;
}

/** A watched value that its maker can set. */
export interface Cell<T> extends Watched<T> {
  set(value: T): void;
}

export function createCell<T>(first: T): Cell<T> {
  const listeners = createListeners();
  let value = first;
  return {
    current: () => value,
    subscribe: listeners.add,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      listeners.tell();
    },
  };
}

/** Sets some values of an object. Equal values notify no listener. */
export function change<T extends object>(cell: Cell<T>, changes: Partial<T>): void {
  const value = cell.current();
  const keys = Object.keys(changes) as (keyof T)[];
  if (keys.some((key) => value[key] !== changes[key])) cell.set({ ...value, ...changes });
}
