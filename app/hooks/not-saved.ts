import { useMemo, useRef } from 'react';
import { useApp } from '../context/app-context.ts';
import { orFull } from '../db/storage-errors.ts';
import type { ToastContent } from '../ui/create-toasts.ts';
import { errorWords } from '../words/error-words.ts';

/**
 * What is said where nothing was kept on this device. It stays until it is put away or replaced: on a slow phone the
 * usual five seconds can pass before the screen is drawn again. `fallback`: the text for an error without a message.
 */
export function notSaved(error: unknown, fallback: string): ToastContent {
  return {
    title: 'Error',
    description: errorWords(orFull(error), fallback),
    variant: 'destructive',
    durationMs: Infinity,
  };
}

/**
 * The same for one control that says nothing where it did succeed: what it has told goes as soon as a later try is
 * kept.
 */
export function useNotSaved(): { tell(error: unknown, fallback: string): void; isOver(): void } {
  const { toasts } = useApp();
  const told = useRef<number | undefined>(undefined);
  return useMemo(
    () => ({
      tell: (error, fallback) => void (told.current = toasts.show(notSaved(error, fallback))),
      isOver: () => {
        if (told.current !== undefined) toasts.dismiss(told.current);
      },
    }),
    [toasts],
  );
}
