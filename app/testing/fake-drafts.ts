import { makeTestId } from '../../shared/testing/make.ts';
import { systemClock } from '../db/clock.ts';
import { createDraftSlots, type DraftSlots, type TryLock } from '../db/draft-slots.ts';
import type { PersonDb } from '../db/person-db.ts';

/** Web Locks as far as asking without waiting goes. One for all tabs of a browser. */
export function fakeTryLock(): TryLock {
  const held = new Set<string>();
  return {
    request: async (name, _, hold) => {
      if (held.has(name)) return hold(null);
      held.add(name);
      try {
        await hold({ name });
      } finally {
        held.delete(name);
      }
    },
  };
}

/** What one tab remembers of its slots. */
export function fakeTabMemory(): { read(key: string): string | undefined; write(key: string, slot: string): void } {
  const slots = new Map<string, string>();
  return { read: (key) => slots.get(key), write: (key, slot) => void slots.set(key, slot) };
}

/** The drafts of the only tab of a browser. */
export const fakeDrafts = (db: PersonDb): DraftSlots =>
  createDraftSlots({ db, clock: systemClock, locks: fakeTryLock(), newId: makeTestId, tab: fakeTabMemory() });
