import { useEffect } from 'react';
import { useApp } from '../app-context.ts';

/** While `isDirty`, nothing asks the person to reload. */
export function useDirtyForm(isDirty: boolean): void {
  const { dirtyForms } = useApp();
  useEffect(() => {
    if (!isDirty) return;
    dirtyForms.set(dirtyForms.current() + 1);
    return () => dirtyForms.set(dirtyForms.current() - 1);
  }, [dirtyForms, isDirty]);
}
