import { createContext, useContext, useEffect } from 'react';
import type { Toasts } from './create-toasts.ts';

export const ToastsContext = createContext<Toasts | undefined>(undefined);

/** The toasts of this app instance. Throws outside `UiProvider`. */
export function useToasts(): Toasts {
  const toasts = useContext(ToastsContext);
  if (toasts === undefined) throw new Error('useToasts needs a UiProvider above it');
  return toasts;
}

/** A window that opens: a toast of what was done before would lie over it. */
export function useGoOn(isOpen: boolean): void {
  const toasts = useContext(ToastsContext);
  useEffect(() => {
    if (isOpen) toasts?.goOn();
  }, [isOpen, toasts]);
}
