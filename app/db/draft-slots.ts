import type { Clock } from './clock.ts';
import type { Draft, PersonDb } from './person-db.ts';
import { photoDraftsOf } from './person-db.ts';

/** A draft as one open form has it. */
export interface Slot {
  /** Its key among the drafts. */
  readonly key: string;
  /** What an earlier form left in it. */
  readonly draft: Draft | undefined;
  /**
   * The form has gone: another one may have it once this is done, the next of this tab before those of other tabs.
   * `isPageOver`: at once, because this page has no next one.
   */
  release(after?: Promise<unknown>, isPageOver?: boolean): void;
}

export interface DraftSlots {
  /**
   * A slot for the form of this key: the one that this tab had (`typedIn`: though nothing is in it yet), else the
   * newest that was left, or a new one where each is open elsewhere. Never rejects: where the drafts cannot be read, it
   * is a new one.
   */
  take(key: string, typedIn?: string): Promise<Slot>;
  /** A new one, for words that none of those is for. */
  takeNew(key: string): Promise<Slot>;
}

/** `navigator.locks`, as far as it is used. */
export interface TryLock {
  request(name: string, options: { ifAvailable: true }, hold: (lock: object | null) => Promise<void>): Promise<unknown>;
}

interface Ports {
  readonly db: PersonDb;
  readonly clock: Pick<Clock, 'setTimer'>;
  readonly locks: TryLock;
  readonly newId: () => string;
  /** The slot that this tab had last for a key; it outlives a reload. */
  readonly tab: { read(key: string): string | undefined; write(key: string, slot: string): void };
}

type Free = (after: Promise<unknown>) => void;

interface Leaving {
  readonly form: string;
  readonly after: Promise<unknown>;
  readonly free: Free | undefined;
  readonly cancel: () => void;
}

const separator = '~';
/** How long what a form has left is for the next one of its tab. */
const handOverMs = 500;
/** A second in all: the page before this one, which a reload has ended, may hold a lock for a moment more. */
const [maxTries, pauseMs] = [20, 50];

/**
 * Two tabs may have the same form open: each writes a draft of its own, which it holds a Web Lock for, so that none
 * deletes, sends or overwrites what is typed in another. The lock of a tab that is killed is free at once.
 */
export function createDraftSlots({ db, clock, locks, newId, tab }: Ports): DraftSlots {
  /** Of forms that have just gone, by slot. */
  const leaving = new Map<string, Leaving>();

  /** Undefined where an open form has it. */
  const tryLock = (slot: string) =>
    new Promise<Free | undefined>((resolve) => {
      const hold = async (lock: object | null) => {
        if (lock === null) return resolve(undefined);
        await new Promise((free) => resolve(free));
      };
      locks.request(`dwang-draft-${db.name}/${slot}`, { ifAvailable: true }, hold).catch(() => resolve(undefined));
    });

  function slotOf(form: string, key: string, draft: Draft | undefined, free: Free | undefined): Slot {
    let isReleased = false;
    return {
      key,
      draft,
      release: (after = Promise.resolve(), isPageOver = false) => {
        if (isReleased) return;
        isReleased = true;
        const release = () => {
          leaving.delete(key);
          free?.(after);
        };
        if (isPageOver) return release();
        leaving.set(key, { form, after, free, cancel: clock.setTimer(handOverMs, release) });
      },
    };
  }

  /** What a form of this tab has just left with words in it needs no other lock. `typedIn`: the one that has them. */
  async function takeOver(form: string, typedIn: string | undefined): Promise<Slot | undefined> {
    for (const [slot, left] of [...leaving].filter(([, one]) => one.form === form).toReversed()) {
      left.cancel();
      leaving.delete(slot);
      await left.after.catch(() => undefined);
      const draft = await db.drafts.get(slot).catch(() => undefined);
      if (draft !== undefined || slot === typedIn) return slotOf(form, slot, draft, left.free);
      left.free?.(Promise.resolve());
    }
    return undefined;
  }

  async function tryPatiently(slot: string): Promise<Free | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const free = await tryLock(slot);
      if (free !== undefined) return free;
      await new Promise((goOn) => clock.setTimer(pauseMs, () => goOn(undefined)));
    }
    return undefined;
  }

  async function takeNow(key: string, typedIn: string | undefined): Promise<Slot> {
    const handed = await takeOver(key, typedIn);
    if (handed !== undefined) return handed;
    const left = await leftDrafts(db, key).catch(() => undefined);
    const found = async (slot: string, free: Free) => {
      tab.write(key, slot);
      // Read under the lock: the form that had it may have written until now.
      return slotOf(key, slot, await db.drafts.get(slot).catch(() => left?.get(slot)), free);
    };
    const wanted = typedIn ?? tab.read(key);
    if (wanted !== undefined && (wanted === typedIn || left?.has(wanted) === true)) {
      const free = await tryPatiently(wanted);
      if (free !== undefined) return found(wanted, free);
    }
    for (const slot of left === undefined ? [] : new Set([...left.keys(), key])) {
      const free = await tryLock(slot);
      if (free !== undefined) return found(slot, free);
    }
    return takeNew(key);
  }

  async function takeNew(key: string): Promise<Slot> {
    const slot = `${key}${separator}${newId()}`;
    tab.write(key, slot);
    return slotOf(key, slot, undefined, await tryLock(slot));
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    takeNew,
    take: (key, typedIn) => {
      // One after the other: a form that has gone before it got its slot has released it first.
      const taking = last.then(() => takeNow(key, typedIn));
      last = taking;
      return taking;
    },
  };
}

/** The drafts that forms of this key have left, the newest first. One may have photos and no words yet. */
export async function leftDrafts({ drafts }: PersonDb, key: string): Promise<Map<string, Draft | undefined>> {
  const [photos, others] = [photoDraftsOf(key), `${key}${separator}`];
  const found = await drafts
    .where('key')
    .equals(key)
    .or('key')
    .startsWith(photos)
    .or('key')
    .startsWith(others)
    .toArray();
  const slotOf = (draft: Draft) => draft.key.replace(/\/photo\/[^/]*$/, '');
  const newestFirst = found.toSorted((one, other) => (one.savedAt < other.savedAt ? 1 : -1));
  return new Map(newestFirst.map((draft) => [slotOf(draft), found.find((one) => one.key === slotOf(draft))]));
}
