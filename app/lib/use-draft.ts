import { useCallback, useEffect, useRef, useState } from 'react';
import { useApp, useHouse } from '../app-context.ts';

/** Long enough not to write at every key, short enough that a killed app loses a word at most. */
const restMs = 400;

export interface DraftInHand<T> {
  /** Undefined while the draft is being read. */
  readonly value: T | undefined;
  readonly change: (next: (before: T) => T) => void;
  /** Stops writing and forgets what is on the device: the form has become a mutation, or was given up. */
  readonly drop: () => Promise<void>;
  /** Writes at once, as after a refusal that opens the form again. */
  readonly keep: () => Promise<void>;
}

/** A half-written form that outlives the app being closed (product.md section 2, "Drafts"). `make`: where there is none yet. */
export function useDraft<T>(key: string, make: () => T): DraftInHand<T> {
  const { db } = useHouse();
  const { now } = useApp();
  const [value, setValue] = useState<T>();
  const latest = useRef<T>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const makeFirst = useRef(make);

  useEffect(() => {
    let isGone = false;
    const begin = (found: T) => {
      if (isGone) return;
      latest.current = found;
      setValue(found);
    };
    // A draft that cannot be read must not keep anybody from writing a new one.
    db.drafts.get(key).then((draft) => begin((draft?.value as T | undefined) ?? makeFirst.current()), () => begin(makeFirst.current()));
    return () => {
      isGone = true;
    };
  }, [db, key]);

  const keep = useCallback(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    if (latest.current !== undefined) await db.drafts.put({ key, value: latest.current, savedAt: now() });
  }, [db, key, now]);

  useEffect(() => {
    const keepWaiting = () => {
      if (timer.current !== undefined) void keep();
    };
    window.addEventListener('pagehide', keepWaiting);
    return () => {
      window.removeEventListener('pagehide', keepWaiting);
      keepWaiting();
    };
  }, [keep]);

  const change = useCallback(
    (next: (before: T) => T) => {
      if (latest.current === undefined) return;
      latest.current = next(latest.current);
      setValue(latest.current);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void keep(), restMs);
    },
    [keep],
  );
  const drop = useCallback(async () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    await db.drafts.delete(key);
  }, [db, key]);

  return { value, change, drop, keep };
}
