import { useEffect } from 'react';
import { useApp } from '../context/app-context.ts';

/** While `isDirty`, the person is not asked to reload. */
export function useDirtyForm(isDirty: boolean): void {
  const { dirtyForms } = useApp();
  useEffect(() => {
    if (!isDirty) return;
    const count = (by: 1 | -1) => dirtyForms.set(dirtyForms.current() + by);
    count(1);
    return () => count(-1);
  }, [dirtyForms, isDirty]);
}
