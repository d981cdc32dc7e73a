import { useCallback } from 'react';
import type { ArgsOf } from '../../shared/mutations/index.ts';
import { useApp, type SessionContext } from '../context/app-context.ts';
import { orFull } from '../db/storage-errors.ts';
import type { HeldChange, HeldName } from '../held/held-changes.ts';
import { errorWords } from '../words/error-words.ts';
import { heldWords } from '../words/held-words.ts';
import { useNotSaved } from './not-saved.ts';

type Held = Pick<SessionContext, 'held'>;

/**
 * Holds a change back for some seconds; an error of the device is told. The control asks the mutation's own law by
 * `useMutation`.
 */
export function useHold({
  held,
}: Held): <Name extends HeldName>(name: Name, args: ArgsOf<Name>, about: string) => Promise<void> {
  const notSaved = useNotSaved();
  return useCallback(
    async (name, args, about) => {
      try {
        await held.hold(name, args, about);
        notSaved.isOver();
      } catch (error) {
        notSaved.tell(error, heldWords[name].failed);
      }
    },
    [held, notSaved],
  );
}

/** Undo of a held change, with what became of it in words. */
export function useTakeBack({ held }: Held): (change: Pick<HeldChange, 'key' | 'name'>) => Promise<void> {
  const { toasts } = useApp();
  return useCallback(
    async ({ key, name }) => {
      try {
        const isBack = await held.takeBack(key);
        toasts.show(isBack ? heldWords[name].undone : { title: "It's too late to undo", variant: 'destructive' });
      } catch (error) {
        toasts.show({
          title: 'Error',
          description: errorWords(orFull(error), 'That did not work'),
          variant: 'destructive',
        });
      }
    },
    [held, toasts],
  );
}
