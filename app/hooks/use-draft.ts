import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp, useSessionContext } from '../context/app-context.ts';
import { withConnection } from '../db/connection.ts';
import { dropDraft, type DraftRef } from '../db/drop-draft.ts';
import type { Draft } from '../db/person-db.ts';
import { orFull } from '../db/storage-errors.ts';
import { errorWords } from '../words/error-words.ts';
import { dropLastTyped, keepLastTyped, readLastTyped } from '../lib/last-typed-draft.ts';
import { useWhenCleared } from './use-when-cleared.ts';

/** The pause is long enough not to write at every key, short enough that a killed app loses a word at most. */
const restMs = 400;

export interface DraftInHand<T> {
  /** Undefined while the draft is being read. */
  readonly value: T | undefined;
  readonly change: (next: (before: T) => T) => void;
  /**
   * Stops writing and deletes what is on the device: the form has become a mutation, or was given up. Never rejects:
   * see `keep`.
   */
  readonly drop: () => Promise<void>;
  /**
   * For the mutation that the form becomes: until that has failed (`keep`), or is typed on, nothing more is written.
   * The draft is deleted with it, unless another tab has written its own words there since.
   */
  readonly send: () => DraftRef;
  /** Writes what is not written yet: another tab may have written its own words since, and they are the newer ones. */
  readonly flush: () => Promise<void>;
  /**
   * Writes at once, as after a rejection that opens the form again. Never rejects: a draft that the device cannot keep
   * is reported once, until one is kept again, and blocks nothing, because the text is still in the form.
   */
  readonly keep: () => Promise<void>;
}

/** A half-written form that outlives the app being closed. `make`: where there is none yet. */
export function useDraft<T>(key: string, make: () => T): DraftInHand<T> {
  const { db, userId } = useSessionContext();
  const { newId, now, toasts } = useApp();
  const [form] = useState(newId);
  /** This form, and the one whose words it began with. */
  const writers = useRef([form]);
  const [value, setValue] = useState<T>();
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
  /** Something was typed into this form, and not only read. */
  const isOwn = useRef(false);
  const drops = useRef(0);

  useEffect(() => {
    let isGone = false;
    // The latest words may be of another key: nothing of them may be written under this one.
    latest.current = undefined;
    isTyped.current = false;
    isOwn.current = false;
    isBeingSent.current = false;
    isUnwritten.current = false;
    const begin = (draft?: Draft) => {
      if (isGone) return;
      const written = draft?.value as T | undefined;
      writers.current = draft?.by === undefined ? [form] : [form, draft.by];
      const typed = readLastTyped(sessionStorage, userId, key) as T | undefined;
      isTyped.current = (typed ?? written) !== undefined;
      latest.current = typed ?? written ?? makeFirst.current();
      setValue(latest.current);
      if (typed === undefined) return;
      // Where even that is not written, it stays in session storage.
      void db.drafts.put({ key, value: typed, savedAt: now(), by: form }).then(
        () => dropLastTyped(sessionStorage, userId, key),
        () => undefined,
      );
    };
    // A draft that cannot be read must not keep the person from writing a new one.
    db.drafts.get(key).then(begin, () => begin());
    return () => {
      isGone = true;
    };
  }, [db, form, key, now, userId]);

  const write = useCallback(
    async (work: () => Promise<unknown>, fallback: string) => {
      clearTimeout(timer.current);
      timer.current = undefined;
      try {
        await work();
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
  const keep = useCallback(
    () =>
      write(async () => {
        const value = latest.current;
        if (value === undefined) return;
        const dropsBefore = drops.current;
        isTyped.current = true;
        isUnwritten.current = true;
        isBeingSent.current = false;
        try {
          await withConnection(db, () => db.drafts.put({ key, value, savedAt: now(), by: form }));
        } catch (error) {
          // The form may be gone before the storage answers again.
          if (drops.current === dropsBefore && !db.hasBeenClosed()) keepLastTyped(sessionStorage, userId, key, value);
          throw error;
        }
        if (latest.current !== value) return;
        isUnwritten.current = false;
        dropLastTyped(sessionStorage, userId, key);
      }, 'What you type is lost when you leave the page.'),
    [db, form, key, now, userId, write],
  );

  // What was written is written again, and not trusted until it is.
  useWhenCleared(useCallback(async () => (isTyped.current ? keep() : undefined), [keep]));

  useEffect(() => {
    const keepWaiting = () => {
      if (isUnwritten.current && !isBeingSent.current) void keep();
    };
    const leave = () => {
      // A page that is being unloaded waits for no database.
      if (isUnwritten.current) keepLastTyped(sessionStorage, userId, key, latest.current);
      keepWaiting();
    };
    // What another tab has sent or given up was deleted with its draft, where it was the last to write.
    const keepAgain = () => {
      if (document.visibilityState !== 'visible' || !isOwn.current || isUnwritten.current) return;
      db.drafts.get(key).then(
        (draft) => void (draft === undefined && isOwn.current && keep()),
        () => undefined,
      );
    };
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', keepAgain);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', keepAgain);
      keepWaiting();
    };
  }, [db, keep, key, userId]);

  const change = useCallback(
    (next: (before: T) => T) => {
      if (latest.current === undefined) return;
      latest.current = next(latest.current);
      isTyped.current = true;
      isOwn.current = true;
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
    isOwn.current = false;
    isUnwritten.current = false;
    dropLastTyped(sessionStorage, userId, key);
    const draft = { key, by: writers.current };
    return write(
      () => db.transaction('rw', 'drafts', () => dropDraft(db, draft)),
      'What you typed is still on this phone.',
    );
  }, [db, key, userId, write]);
  const send = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    isBeingSent.current = true;
    return { key, by: writers.current };
  }, [key]);

  const flush = useCallback(async () => (isUnwritten.current ? keep() : undefined), [keep]);

  return { value, change, drop, send, flush, keep };
}
