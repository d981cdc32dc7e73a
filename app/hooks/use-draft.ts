import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp, useSessionContext } from '../context/app-context.ts';
import { withConnection } from '../db/connection.ts';
import type { Slot } from '../db/draft-slots.ts';
import type { Draft } from '../db/person-db.ts';
import { orFull } from '../db/storage-errors.ts';
import { errorWords } from '../words/error-words.ts';
import { dropLastTyped, keepLastTyped, lastTypedSlot, readLastTyped, type LastTyped } from '../lib/last-typed-draft.ts';
import { useWhenCleared } from './use-when-cleared.ts';

/** The pause is long enough not to write at every key, short enough that a killed app loses a word at most. */
const restMs = 400;

export interface DraftInHand<T> {
  /** Undefined while the draft is being read. */
  readonly value: T | undefined;
  /** Its key among the drafts (`draft-slots.ts`); undefined while it is being read. */
  readonly slot: string | undefined;
  /** Nothing of it was kept before. */
  readonly isNew: boolean;
  readonly change: (next: (before: T) => T) => void;
  /**
   * Stops writing and deletes what is on the device: the form has become a mutation, or was given up. Never rejects:
   * see `keep`.
   */
  readonly drop: () => Promise<void>;
  /**
   * For the mutation that the form becomes, whose key it is to delete: until that has failed (`keep`), or is typed on,
   * nothing more is written.
   */
  readonly send: () => string | undefined;
  /**
   * Writes at once, as after a rejection that opens the form again. Never rejects: a draft that the device cannot keep
   * is reported once, until one is kept again, and blocks nothing, because the text is still in the form.
   */
  readonly keep: () => Promise<void>;
}

/**
 * A half-written form that outlives the app being closed. The same form in another tab has a draft of its own. `make`:
 * where there is none yet.
 */
export function useDraft<T>(key: string, make: () => T): DraftInHand<T> {
  const { db, userId, drafts } = useSessionContext();
  const { now, toasts } = useApp();
  const slot = useRef<Slot>(undefined);
  /** The last write, which may be under way. */
  const writing = useRef(Promise.resolve());
  const [value, setValue] = useState<T>();
  const [slotKey, setSlotKey] = useState<string>();
  const [isNew, setNew] = useState(true);
  const latest = useRef<T>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const makeFirst = useRef(make);
  const isUnkept = useRef(false);
  /** The current value is not known to be in the database. */
  const isUnwritten = useRef(false);
  /** It was typed, now or before: what a form begins with is no draft. */
  const isTyped = useRef(false);
  /** A mutation is made of it: it is written by none but that, unless that fails. */
  const isBeingSent = useRef(false);
  const drops = useRef(0);
  /** It is among the drafts, as far as this form knows. */
  const wasKept = useRef(false);

  const write = useCallback(
    async (work: (slot: string) => Promise<unknown>, fallback: string) => {
      clearTimeout(timer.current);
      timer.current = undefined;
      const held = slot.current;
      if (held === undefined) return;
      const done = work(held.key);
      writing.current = done.then(
        () => undefined,
        () => undefined,
      );
      try {
        await done;
        isUnkept.current = false;
      } catch (error) {
        // The session context was closed (log-out, a newer app in another tab): nothing to report.
        if (isUnkept.current || db.hasBeenClosed()) return;
        isUnkept.current = true;
        toasts.show({
          title: 'Draft not kept',
          description: errorWords(orFull(error), fallback),
          variant: 'destructive',
        });
      }
    },
    [db, toasts],
  );
  const remember = useCallback(
    (own: string, value: T | undefined) =>
      keepLastTyped(sessionStorage, userId, own, { value, typedAt: now(), wasKept: wasKept.current }),
    [now, userId],
  );
  const keep = useCallback(
    () =>
      write(async (own) => {
        const value = latest.current;
        if (value === undefined) return;
        const dropsBefore = drops.current;
        isTyped.current = true;
        isUnwritten.current = true;
        isBeingSent.current = false;
        try {
          await withConnection(db, () => db.drafts.put({ key: own, value, savedAt: now() }));
        } catch (error) {
          // It may have been cleared, with what was kept before.
          wasKept.current = false;
          // The form may be gone before the storage answers again.
          if (drops.current === dropsBefore && !db.hasBeenClosed()) remember(own, value);
          throw error;
        }
        wasKept.current = drops.current === dropsBefore;
        if (latest.current !== value) return;
        isUnwritten.current = false;
        dropLastTyped(sessionStorage, userId, own);
      }, 'What you type is lost when you leave the page.'),
    [db, now, remember, userId, write],
  );

  // What was written is written again, and not trusted until it is.
  useWhenCleared(
    useCallback(async () => {
      wasKept.current = false;
      if (isTyped.current) await keep();
    }, [keep]),
  );

  useEffect(() => {
    const leave = () => {
      const own = slot.current?.key;
      // A page that is being unloaded waits for no database.
      if (isUnwritten.current && own !== undefined) remember(own, latest.current);
      if (isUnwritten.current && !isBeingSent.current) void keep();
      // A page that the browser keeps for Back must not keep its words from the next one.
      slot.current?.release(writing.current, true);
    };
    // A page that the browser has kept does not know what became of its draft meanwhile: sent, or written on.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (persisted && slot.current !== undefined) window.location.reload();
    };
    window.addEventListener('pagehide', leave);
    window.addEventListener('pageshow', comeBack);
    return () => {
      window.removeEventListener('pagehide', leave);
      window.removeEventListener('pageshow', comeBack);
    };
  }, [keep, remember]);

  useEffect(() => {
    let isGone = false;
    // The latest words may be of another key: nothing of them may be written under this one.
    latest.current = undefined;
    isTyped.current = false;
    isBeingSent.current = false;
    isUnwritten.current = false;
    const begin = (found: Slot, typed?: T) => {
      if (isGone) return found.release();
      slot.current = found;
      setSlotKey(found.key);
      const written = found.draft?.value as T | undefined;
      isTyped.current = (typed ?? written) !== undefined;
      wasKept.current = written !== undefined;
      setNew(!isTyped.current);
      latest.current = typed ?? written ?? makeFirst.current();
      setValue(latest.current);
      if (typed !== undefined) void keep();
    };
    const open = async () => {
      const typedIn = lastTypedSlot(sessionStorage, userId, key);
      const typed = typedIn === undefined ? undefined : readLastTyped(sessionStorage, userId, typedIn);
      const found = await drafts.take(key, typedIn);
      if (isGone || typedIn === undefined || typed === undefined) return begin(found);
      const fate = fateOf(typed, found.key === typedIn ? found.draft : undefined);
      if (fate === 'gone') dropLastTyped(sessionStorage, userId, typedIn);
      if (fate !== 'of-another-form') return begin(found, fate === 'newest' ? (typed.value as T) : undefined);
      dropLastTyped(sessionStorage, userId, typedIn);
      found.release(undefined, true);
      begin(await drafts.takeNew(key), typed.value as T);
    };
    void open();
    return () => {
      isGone = true;
      if (isUnwritten.current && !isBeingSent.current) void keep();
      slot.current?.release(writing.current);
      slot.current = undefined;
    };
  }, [drafts, keep, key, userId]);

  const change = useCallback(
    (next: (before: T) => T) => {
      if (latest.current === undefined) return;
      latest.current = next(latest.current);
      isTyped.current = true;
      isUnwritten.current = true;
      isBeingSent.current = false;
      setValue(latest.current);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void keep(), restMs);
    },
    [keep],
  );
  const drop = useCallback(() => {
    drops.current += 1;
    isTyped.current = false;
    isUnwritten.current = false;
    wasKept.current = false;
    return write((own) => {
      dropLastTyped(sessionStorage, userId, own);
      return withConnection(db, () => db.drafts.delete(own));
    }, 'What you typed is still on this phone.');
  }, [db, userId, write]);
  const send = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    isBeingSent.current = true;
    return slot.current?.key;
  }, []);

  return { value, slot: slotKey, isNew, change, drop, send, keep };
}

/**
 * What became of the draft since this was typed into it: nothing newer; it was sent, given up or written on elsewhere;
 * or another form has the slot, because nothing of this had been written.
 */
function fateOf(
  { value, typedAt, wasKept }: LastTyped,
  draft: Draft | undefined,
): 'newest' | 'gone' | 'of-another-form' {
  if (draft === undefined) return wasKept ? 'gone' : 'newest';
  if (typedAt === undefined || draft.savedAt <= typedAt || JSON.stringify(draft.value) === JSON.stringify(value))
    return 'newest';
  return wasKept ? 'gone' : 'of-another-form';
}
