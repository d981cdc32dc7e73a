import { useCallback } from 'react';
import { useApp } from '../context/app-context.ts';
import { faultWords } from '../words/fault-words.ts';

/** Runs what only has to be kept on this device; true where it was. Where it was not, the person is told why. */
export function useLocalWrite(): (work: () => Promise<void>) => Promise<boolean> {
  const { toasts } = useApp();
  return useCallback(
    async (work) => {
      try {
        await work();
        return true;
      } catch (fault) {
        toasts.show({ title: 'Error', description: faultWords(fault, 'Could not be saved'), variant: 'destructive' });
        return false;
      }
    },
    [toasts],
  );
}
