import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp, useSessionContext } from '../context/app-context.ts';
import { withConnection } from '../db/connection.ts';
import { orFull } from '../db/storage-errors.ts';
import { faultWords } from '../words/fault-words.ts';
import { dropLastTyped, keepLastTyped, readLastTyped } from '../lib/last-typed-draft.ts';
import { useSyncStatus } from './use-sync-status.ts';

/** Long enough not to write at every key, short enough that a killed app loses a word at most. */
const restMs = 400;

export interface DraftInHand<T> {
  /** Undefined while the draft is being read. */
  readonly value: T | undefined;
  readonly change: (next: (before: T) => T) => void;
  /** Stops writing and deletes what is on the device: the form has become a mutation, or was given up. Never rejects: see `keep`. */
  readonly drop: () => Promise<void>;
  /**
   * Writes at once, as after a rejection that opens the form again. Never rejects: a draft that the device cannot keep is reported once,
   * until one is kept again, and blocks nothing, because the text is still in the form.
   */
  readonly keep: () => Promise<void>;
}

/** A half-written form that outlives the app being closed. `make`: where there is none yet. */
export function useDraft<T>(key: string, make: () => T): DraftInHand<T> {
  const { db, sync, userId } = useSessionContext();
  const { evictions } = useSyncStatus(sync);
  const { now, toasts } = useApp();
  const [value, setValue] = useState<T>();
  const latest = useRef<T>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const makeFirst = useRef(make);
  const isUnkept = useRef(false);
  /** The current value, where it was never written. */
  const isUnwritten = useRef(false);

  useEffect(() => {
    let isGone = false;
    const begin = (written: T) => {
      if (isGone) return;
      const typed = readLastTyped(sessionStorage, userId, key) as T | undefined;
      latest.current = typed ?? written;
      setValue(latest.current);
      if (typed === undefined) return;
      // Where even that is not written, it stays in session storage.
      void db.drafts.put({ key, value: typed, savedAt: now() }).then(
        () => dropLastTyped(sessionStorage, userId, key),
        () => undefined,
      );
    };
    // A draft that cannot be read must not keep the person from writing a new one.
    db.drafts.get(key).then(
      (draft) => begin((draft?.value as T | undefined) ?? makeFirst.current()),
      () => begin(makeFirst.current()),
    );
    return () => {
      isGone = true;
    };
  }, [db, key, now, userId]);

  const write = useCallback(
    async (work: () => Promise<unknown>, fallback: string) => {
      clearTimeout(timer.current);
      timer.current = undefined;
      try {
        await work();
        isUnkept.current = false;
      } catch (fault) {
        // The session context was closed (log-out, a newer app in another tab): nothing to report.
        if (isUnkept.current || db.hasBeenClosed()) return;
        isUnkept.current = true;
        toasts.show({
          title: 'Draft not kept',
          description: faultWords(orFull(fault), fallback),
          variant: 'destructive',
        });
      }
    },
    [db, toasts],
  );
  const keep = useCallback(
    () =>
      write(async () => {
        const value = latest.current;
        if (value === undefined) return;
        await withConnection(db, () => db.drafts.put({ key, value, savedAt: now() }));
        if (latest.current !== value) return;
        isUnwritten.current = false;
        dropLastTyped(sessionStorage, userId, key);
      }, 'What you type is lost when you leave the page.'),
    [db, key, now, userId, write],
  );

  // The browser cleared this phone under the open form: the current value is written again.
  useEffect(() => {
    if (evictions > 0) void keep();
  }, [evictions, keep]);

  useEffect(() => {
    const keepWaiting = () => {
      if (timer.current !== undefined) void keep();
    };
    const leave = () => {
      // A page that is being unloaded waits for no database.
      if (isUnwritten.current) keepLastTyped(sessionStorage, userId, key, latest.current);
      keepWaiting();
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      keepWaiting();
    };
  }, [keep, key, userId]);

  const change = useCallback(
    (next: (before: T) => T) => {
      if (latest.current === undefined) return;
      latest.current = next(latest.current);
      isUnwritten.current = true;
      setValue(latest.current);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void keep(), restMs);
    },
    [keep],
  );
  const drop = useCallback(() => {
    isUnwritten.current = false;
    dropLastTyped(sessionStorage, userId, key);
    return write(() => db.drafts.delete(key), 'What you typed is still on this phone.');
  }, [db, key, userId, write]);

  return { value, change, drop, keep };
}
