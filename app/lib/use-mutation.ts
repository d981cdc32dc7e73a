import { useCallback } from 'react';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import { useApp, useHouse, type House } from '../app-context.ts';
import type { RefusedEntry } from '../db/person-db.ts';
import type { AlongWith } from '../sync/mutate.ts';
import type { Decision } from '../sync/wait-for.ts';
import { faultWords } from '../words/fault-words.ts';
import { words } from '../words/promises.ts';
import { acceptedToasts, tellWhenDecided } from './tell-when-decided.ts';

/** How long a person stands waiting before "saved" is the better answer. */
export const momentMs = 2_000;

export type Kept =
  /** The server has accepted; the specified toast is on the screen. */
  | { readonly kind: 'accepted' }
  /** It is on this phone and goes out when it can; the person has been told so, and will be told what became of it. */
  | { readonly kind: 'saved' }
  | { readonly kind: 'refused'; readonly refused: RefusedEntry }
  /** Nothing was queued; the person has been told why. */
  | { readonly kind: 'failed' };

interface Options {
  readonly along?: AlongWith;
  /** What is said of a fault that has no words. */
  readonly fallback: string;
  /** The server has taken it, within the moment or later, while the app is open. */
  readonly onAccepted?: () => void;
}

type Mutate = <Name extends MutationName>(name: Name, args: ArgsOf<Name>, options: Options) => Promise<Kept>;

/**
 * What has become of it within the moment; where that cannot be read, it is on this phone all the same. Where the house has been left
 * meanwhile (log-out, a newer app in another tab) this never resolves: nothing may be claimed, and the form has nowhere to go on.
 */
async function decisionOf(house: House, uid: string): Promise<Decision> {
  const decision = await house.sync.waitFor(uid, momentMs).catch((): Decision => ({ kind: 'still-waiting' }));
  return house.db.hasBeenClosed() ? new Promise<never>(() => undefined) : decision;
}

/**
 * Does one mutation as screens promise it (product.md section 2): the specified toast if the server accepts within the moment,
 * else "Saved on this phone…" now and the toast later. A refusal within the moment is shown with its reason.
 */
export function useMutation(goTo: (path: string) => void): Mutate {
  const { toasts, isFleeting } = useApp();
  const house = useHouse();
  return useCallback(
    async (name, args, { along, fallback, onAccepted }) => {
      const fail = (fault: unknown): Kept => {
        toasts.show({ title: 'Error', description: faultWords(fault, fallback), variant: 'destructive' });
        return { kind: 'failed' };
      };
      let uid: string;
      try {
        ({ uid } = await house.sync.mutate(name, args, along));
      } catch (fault) {
        return fail(fault);
      }
      const decision = await decisionOf(house, uid);
      if (decision.kind === 'applied') {
        const toast = acceptedToasts[name];
        if (toast !== undefined) toasts.show(toast);
        onAccepted?.();
        return { kind: 'accepted' };
      }
      if (decision.kind === 'refused') {
        toasts.show({ title: words.notAccepted, description: decision.refused.message, variant: 'destructive' });
        return { kind: 'refused', refused: decision.refused };
      }
      toasts.show({ title: words.savedForLater, ...(isFleeting ? { description: words.keepOpen } : {}) });
      void tellWhenDecided({ house, toasts, onSeeWhy: () => goTo('/waiting'), onAccepted }, name, uid);
      return { kind: 'saved' };
    },
    [goTo, house, isFleeting, toasts],
  );
}
