import { useCallback, useState, type ReactNode } from 'react';
import { useApp, useSessionContext } from '../../context/app-context.ts';
import { useDeferredImport } from '../../hooks/use-deferred-import.ts';
import { useLocalWrite } from '../../hooks/use-local-write.ts';
import { words } from '../../words/common-words.ts';

const loadDialog = () => import('./phone-place-dialog.tsx');

/** Taking this phone's place, and giving it up. */
export interface PlaceChoice {
  /** Explains, and lets the browser ask. */
  readonly usePhone: () => void;
  /** Back to the base town: the place is deleted. */
  readonly useBase: () => void;
}

export function usePhonePlace(): { readonly choice: PlaceChoice; readonly dialog: ReactNode } {
  const { db } = useSessionContext();
  const { toasts } = useApp();
  const keep = useLocalWrite();
  const [isOpen, setOpen] = useState(false);
  const [isWanted, setWanted] = useState(false);
  const dialog = useDeferredImport(isWanted, loadDialog, () => {
    setWanted(false);
    setOpen(false);
    toasts.show({ title: 'Error', description: words.notFetched, variant: 'destructive' });
  });
  const usePhone = useCallback(() => {
    setWanted(true);
    setOpen(true);
  }, []);
  const useBase = useCallback(() => void keep(() => db.meta.delete('place')), [db, keep]);
  const close = useCallback(() => setOpen(false), []);
  const [choice] = useState<PlaceChoice>({ usePhone, useBase });
  return { choice, dialog: dialog && <dialog.PhonePlaceDialog isOpen={isOpen} onClose={close} /> };
}
