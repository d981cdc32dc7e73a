/** Who is told of an event. */
export interface Listeners<Event extends unknown[] = []> {
  /** Answers the way to end it. */
  add(listener: (...event: Event) => void): () => void;
  tell(...event: Event): void;
  isEmpty(): boolean;
}

export function createListeners<Event extends unknown[] = []>(): Listeners<Event> {
  const listeners = new Set<(...event: Event) => void>();
  return {
    add: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell: (...event) => {
      for (const listener of listeners) listener(...event);
    },
    isEmpty: () => listeners.size === 0,
  };
}
