import { useCallback } from 'react';
import type { ArgsOf } from '../../shared/mutations/index.ts';
import { useApp, type SessionContext } from '../context/app-context.ts';
import { orFull } from '../db/storage-errors.ts';
import type { HeldChange, HeldName } from '../held/held-changes.ts';
import { faultWords } from '../words/fault-words.ts';
import { heldWords } from '../words/held-words.ts';

type Held = Pick<SessionContext, 'held'>;

/** Holds a change back for some seconds; a fault of the device is told. The control asks the mutation's own law by `useMutation`. */
export function useHold({
  held,
}: Held): <Name extends HeldName>(name: Name, args: ArgsOf<Name>, about: string) => Promise<void> {
  const { toasts } = useApp();
  return useCallback(
    async (name, args, about) => {
      try {
        await held.hold(name, args, about);
      } catch (fault) {
        toasts.show({ title: 'Error', description: faultWords(fault, heldWords[name].failed), variant: 'destructive' });
      }
    },
    [held, toasts],
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
      } catch (fault) {
        toasts.show({
          title: 'Error',
          description: faultWords(orFull(fault), 'That did not work'),
          variant: 'destructive',
        });
      }
    },
    [held, toasts],
  );
}
