/*
 * What was typed last, for the one case that the database cannot serve: a page that is unloaded while its draft has not
 * been written, because there was no time, or because the storage does not answer. In this tab's session storage alone.
 */

type TextStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const common = 'dwang-typed:';
const prefixOf = (userId: string) => `${common}${userId}:`;

/** What was typed last into a form. */
export interface LastTyped {
  readonly value: unknown;
  /** ISO instant; undefined in what an earlier version kept, which was the value alone. */
  readonly typedAt: string | undefined;
  /** The draft that it continues was on the device then. */
  readonly wasKept: boolean;
}

/** True where it is kept. */
export function keepLastTyped(store: TextStore, userId: string, key: string, typed: LastTyped): boolean {
  try {
    store.setItem(`${prefixOf(userId)}${key}`, JSON.stringify(typed));
    return true;
  } catch {
    return false;
  }
}

/** Undefined where nothing was kept. */
export function readLastTyped(store: TextStore, userId: string, key: string): LastTyped | undefined {
  try {
    const kept = JSON.parse(store.getItem(`${prefixOf(userId)}${key}`) ?? 'null') as LastTyped | null;
    if (kept === null) return undefined;
    return typeof kept === 'object' && 'typedAt' in kept ? kept : { value: kept, typedAt: undefined, wasKept: false };
  } catch {
    // A browser that forbids storage, or text that does not parse: the draft in the database counts.
    return undefined;
  }
}

/** The slot (`draft-slots.ts`) of a form of this key whose last words are kept here; undefined where there is none. */
export function lastTypedSlot(store: TextStore, userId: string, key: string): string | undefined {
  try {
    const begins = `${prefixOf(userId)}${key}`;
    const kept = Array.from({ length: store.length }, (_, at) => store.key(at));
    return kept.find((name) => name === begins || name?.startsWith(`${begins}~`))?.slice(prefixOf(userId).length);
  } catch {
    return undefined;
  }
}

export function dropLastTyped(store: TextStore, userId: string, key: string): void {
  try {
    store.removeItem(`${prefixOf(userId)}${key}`);
  } catch {
    // A browser that forbids storage has kept nothing.
  }
}

/** The slot (`draft-slots.ts`) that this tab had last for a form of a key. It goes with the rest at log-out. */
export function tabSlots(store: TextStore, userId: string) {
  const name = (key: string) => `${prefixOf(userId)}slot/${key}`;
  return {
    read: (key: string): string | undefined => {
      try {
        return store.getItem(name(key)) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write: (key: string, slot: string): void => {
      try {
        store.setItem(name(key), slot);
      } catch {
        // A reload may find another draft of the form first then.
      }
    },
  };
}

/** The person logs out. */
export function dropAllLastTyped(store: TextStore, userId: string): void {
  dropWhere(store, (name) => name.startsWith(prefixOf(userId)));
}

/** This person is here now: nothing of another stays in the tab. */
export function dropLastTypedOfOthers(store: TextStore, userId: string): void {
  dropWhere(store, (name) => name.startsWith(common) && !name.startsWith(prefixOf(userId)));
}

function dropWhere(store: TextStore, isGoing: (name: string) => boolean): void {
  const names = Array.from({ length: store.length }, (_, at) => store.key(at));
  for (const name of names) if (name !== null && isGoing(name)) store.removeItem(name);
}
