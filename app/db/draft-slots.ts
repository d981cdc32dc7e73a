import type { Clock } from './clock.ts';
import type { Draft, PersonDb } from './person-db.ts';
import { photoDraftsOf } from './person-db.ts';

/** A draft as one open form has it. */
export interface Slot {
  /** Its key among the drafts. */
  readonly key: string;
  /** What an earlier form left in it. */
  readonly draft: Draft | undefined;
  /** The form has gone: another one may have it, once this is done. */
  release(after?: Promise<unknown>): void;
}

export interface DraftSlots {
  /**
   * A slot for the form of this key: the one that this tab had (`wanted`: or another one), else the newest that was
   * left, or a new one where each is open elsewhere. Never rejects: where the drafts cannot be read, it is a new one.
   */
  take(key: string, wanted?: string): Promise<Slot>;
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

const separator = '~';
/**
 * A second in all: the page before this one, which a reload has ended, or this tab's own form that has gone, may hold a
 * lock for a moment more.
 */
const [maxTries, pauseMs] = [20, 50];

/**
 * Two tabs may have the same form open: each writes a draft of its own, which it holds a Web Lock for, so that none
 * deletes, sends or overwrites what is typed in another. The lock of a tab that is killed is free at once.
 */
export function createDraftSlots({ db, clock, locks, newId, tab }: Ports): DraftSlots {
  const releasing = new Set<Promise<unknown>>();

  /** Undefined where an open form has it. */
  const tryLock = (slot: string) =>
    new Promise<Free | undefined>((resolve) => {
      const hold = async (lock: object | null) => {
        if (lock === null) return resolve(undefined);
        await new Promise((free) =>
          resolve((after) => {
            releasing.add(over);
            free(after);
          }),
        );
      };
      const over: Promise<unknown> = locks
        .request(`dwang-draft-${db.name}/${slot}`, { ifAvailable: true }, hold)
        .catch(() => resolve(undefined))
        .finally(() => releasing.delete(over));
    });

  const slotOf = (key: string, draft: Draft | undefined, free: Free | undefined): Slot => ({
    key,
    draft,
    release: (after = Promise.resolve()) => free?.(after),
  });

  async function tryPatiently(slot: string): Promise<Free | undefined> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const free = await tryLock(slot);
      if (free !== undefined) return free;
      await new Promise((goOn) => clock.setTimer(pauseMs, () => goOn(undefined)));
    }
    return undefined;
  }

  async function takeNow(key: string, wanted = tab.read(key)): Promise<Slot> {
    // What this tab is about to release is free for its next form.
    await Promise.all(releasing);
    const left = await leftDrafts(db, key).catch(() => undefined);
    const had = (slot: string, free: Free | undefined, draft?: Draft) => {
      tab.write(key, slot);
      return slotOf(slot, draft, free);
    };
    // Read under the lock: the form that had it may have written until now.
    const found = async (slot: string, free: Free) =>
      had(slot, free, await db.drafts.get(slot).catch(() => left?.get(slot)));
    if (wanted !== undefined && left?.has(wanted) === true) {
      const free = await tryPatiently(wanted);
      if (free !== undefined) return found(wanted, free);
    }
    for (const slot of left === undefined ? [] : new Set([...left.keys(), key])) {
      const free = await tryLock(slot);
      if (free !== undefined) return found(slot, free);
    }
    const slot = `${key}${separator}${newId()}`;
    return had(slot, await tryLock(slot));
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    take: (key, wanted) => {
      // One after the other: a form that has gone before it got its slot releases it first.
      const taking = last.then(() => takeNow(key, wanted));
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
