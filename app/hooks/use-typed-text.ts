import { useLayoutEffect, useState } from 'react';
import { useDraft } from './use-draft.ts';

export interface TypedText {
  readonly text: string;
  readonly change: (text: string) => void;
  /** For the mutation that it becomes; `keep` where that has failed (`useDraft`). */
  readonly send: () => string | undefined;
  readonly keep: () => Promise<void>;
  /** It has become a mutation, or was given up: the field shows `next`, and nothing is kept. */
  readonly clear: (next?: string) => Promise<void>;
}

/** What is typed into one field, kept on this device until it is saved or given up. `first`: where nothing is kept. */
export function useTypedText(key: string, first = ''): TypedText {
  const { value, change, drop, send, keep } = useDraft(key, () => first);
  /** Typed before it was known whether something is kept: the newer of the two. */
  const [early, setEarly] = useState<string>();
  // With the drawing, not after it: what is typed in between would be the older of the two.
  useLayoutEffect(() => {
    if (early === undefined || value === undefined) return;
    change(() => early);
    setEarly(undefined);
  }, [change, early, value]);
  return {
    text: early ?? value ?? first,
    send,
    keep,
    change: (text) => (value === undefined ? setEarly(text) : change(() => text)),
    clear: (next = first) => {
      setEarly(undefined);
      change(() => next);
      return drop();
    },
  };
}
