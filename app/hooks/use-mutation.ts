import { useCallback, useContext, useMemo } from 'react';
import { actorOnDevice } from '../../shared/actor.ts';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import type { Rejection } from '../../shared/mutations/rejection.ts';
import { objectionTo, type CheckedRowOf } from '../../shared/mutations/run-mutation.ts';
import { useApp, useSessionContext, type SessionContext } from '../context/app-context.ts';
import type { RejectedEntry } from '../db/person-db.ts';
import type { CompanionWrites } from '../sync/mutate.ts';
import type { Decision } from '../sync/wait-for.ts';
import { NavigateContext } from '../ui/navigate-context.ts';
import { faultWords } from '../words/fault-words.ts';
import { acceptedToast } from '../words/mutation-words.ts';
import { words } from '../words/promises.ts';
import { tellWhenDecided } from './tell-when-decided.ts';
import { usePerson } from './use-person.ts';

/** How long a person waits before "saved" is the better answer. */
export const outcomeWaitMs = 2_000;

export type Kept =
  /** The server has accepted; the specified toast is on the screen. */
  | { readonly kind: 'accepted' }
  /** It is on this phone and will be sent; the person has been told so, and will be told its outcome. */
  | { readonly kind: 'saved' }
  | { readonly kind: 'refused'; readonly rejected: RejectedEntry }
  /** Nothing was queued; the person has been told why. */
  | { readonly kind: 'failed' };

interface Options {
  readonly companions?: CompanionWrites;
  /** The text for a fault without a message. */
  readonly fallback: string;
  /** The server has applied it, within `outcomeWaitMs` or later, while the app is open. */
  readonly onAccepted?: () => void;
}

export interface Mutation<Name extends MutationName> {
  /** Do the mutation's own rules allow it to this person, for this row, now? A control that they do not allow is not offered. */
  readonly may: boolean;
  /** Why not, for the control to say; undefined where it may. */
  readonly objection: Rejection | undefined;
  /**
   * Runs it as screens promise it: the specified toast if the server accepts within `outcomeWaitMs`, else "Saved on this phone…" now and
   * the toast later. A rejection within that time is shown with its reason.
   */
  mutate(args: ArgsOf<Name>, options: Options): Promise<Kept>;
  /** Only keeps it, and resolves when it is durable. Throws a `Rejection`, or the fault of the device. */
  enqueue(args: ArgsOf<Name>, companions?: CompanionWrites): Promise<void>;
}

/**
 * The outcome within `outcomeWaitMs`; where that cannot be read, the mutation is on this phone all the same. Where the session context
 * was closed meanwhile (log-out, a newer app in another tab) this never resolves: nothing may be claimed, and the form must not go on.
 */
async function decisionOf(context: SessionContext, uid: string): Promise<Decision> {
  const decision = await context.sync.waitFor(uid, outcomeWaitMs).catch((): Decision => ({ kind: 'still-waiting' }));
  return context.db.hasBeenClosed() ? new Promise<never>(() => undefined) : decision;
}

/**
 * One mutation for one control: whether it may be offered, and the way to start it. `row`: the row it is about, as the screen shows it;
 * nothing for a mutation that makes a row. Screens start mutations in no other way.
 */
export function useMutation<Name extends MutationName>(name: Name, row?: CheckedRowOf<Name>): Mutation<Name> {
  const { toasts, evictsAfterWeek, now } = useApp();
  const context = useSessionContext();
  const person = usePerson();
  const navigate = useContext(NavigateContext);
  const user = person.state === 'ready' ? person.value?.user : undefined;
  const objection = objectionTo(name, { actor: actorOnDevice(context.userId, user), row, now: now() });

  const enqueue = useCallback<Mutation<Name>['enqueue']>(
    async (args, companions) => void (await context.sync.mutate(name, args, companions)),
    [context, name],
  );
  const mutate = useCallback<Mutation<Name>['mutate']>(
    async (args, { companions, fallback, onAccepted }) => {
      let uid: string;
      try {
        ({ uid } = await context.sync.mutate(name, args, companions));
      } catch (fault) {
        toasts.show({ title: 'Error', description: faultWords(fault, fallback), variant: 'destructive' });
        return { kind: 'failed' };
      }
      const decision = await decisionOf(context, uid);
      if (decision.kind === 'applied') {
        const toast = acceptedToast(name);
        if (toast !== undefined) toasts.show(toast);
        onAccepted?.();
        return { kind: 'accepted' };
      }
      if (decision.kind === 'refused') {
        toasts.show({ title: words.notAccepted, description: decision.rejected.message, variant: 'destructive' });
        return { kind: 'refused', rejected: decision.rejected };
      }
      toasts.show({ title: words.savedForLater, ...(evictsAfterWeek ? { description: words.keepOpen } : {}) });
      void tellWhenDecided({ context, toasts, onSeeWhy: () => navigate?.('/waiting'), onAccepted }, name, uid);
      return { kind: 'saved' };
    },
    [context, evictsAfterWeek, name, navigate, toasts],
  );
  return useMemo(() => ({ may: objection === undefined, objection, mutate, enqueue }), [enqueue, mutate, objection]);
}
