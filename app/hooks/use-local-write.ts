import { useCallback } from 'react';
import { useNotSaved } from './not-saved.ts';

/** Runs what only has to be kept on this device; true where it was. Where it was not, the person is told why. */
export function useLocalWrite(): (work: () => Promise<unknown>) => Promise<boolean> {
  const notSaved = useNotSaved();
  return useCallback(
    async (work) => {
      try {
        await work();
        notSaved.isOver();
        return true;
      } catch (error) {
        notSaved.tell(error, 'Could not be saved');
        return false;
      }
    },
    [notSaved],
  );
}
