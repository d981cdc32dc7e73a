import { useCallback, useContext, useMemo } from 'react';
import { actorOnDevice } from '../../shared/actor.ts';
import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';
import type { Rejection } from '../../shared/mutations/rejection.ts';
import { objectionTo, type CheckedRowOf } from '../../shared/mutations/run-mutation.ts';
import { useApp, useSessionContext } from '../context/app-context.ts';
import type { CompanionWrites } from '../sync/mutate.ts';
import { NavigateContext } from '../ui/navigate-context.ts';
import { notSaved } from './not-saved.ts';
import { showOutcomeSoon, showOutcomeWhenDecided, type Decided } from './show-outcome.ts';
import { usePerson } from './use-person.ts';

export type Kept =
  | Exclude<Decided, { kind: 'cancelled' }>
  /** Nothing was queued; the person has been told why. */
  | { readonly kind: 'failed' };

interface Options {
  readonly companions?: CompanionWrites;
  /** The text for an error without a message. */
  readonly fallback: string;
  /** The server has applied it, within `outcomeWaitMs` or later, while the app is open. */
  readonly onAccepted?: () => void;
}

export interface Mutation<Name extends MutationName> {
  /**
   * Do the mutation's own rules allow it to this person, for this row, now? A control that they do not allow is not
   * offered.
   */
  readonly may: boolean;
  /** Why not, for the control to say; undefined where it may. */
  readonly objection: Rejection | undefined;
  /**
   * Runs it as screens promise it: the toast of that mutation if the server accepts within `outcomeWaitMs`, else "Saved
   * on this phone…" now and the toast later. A rejection within that time is shown with its reason.
   */
  mutate(args: ArgsOf<Name>, options: Options): Promise<Kept>;
  /** Only keeps it, and resolves when it is durable, with its uid. Throws a `Rejection`, or the error of the device. */
  enqueue(args: ArgsOf<Name>, companions?: CompanionWrites): Promise<string>;
  /** Sends a rejected one again as it was, and says what became of it as `mutate` does. Throws as `enqueue`. */
  retryRejected(uid: string): Promise<void>;
}

/**
 * One mutation for one control: whether it may be offered, and the way to start it. `row`: the row it is about, as the
 * screen shows it; nothing for a mutation that makes a row. Screens start mutations in no other way.
 */
export function useMutation<Name extends MutationName>(name: Name, row?: CheckedRowOf<Name>): Mutation<Name> {
  const { toasts, reference, evictsAfterWeek, connection, now } = useApp();
  const context = useSessionContext();
  const person = usePerson();
  const navigate = useContext(NavigateContext);
  const user = person.state === 'ready' ? person.value?.user : undefined;
  const objection = objectionTo(name, { actor: actorOnDevice(context.userId, user), row, now: now() });

  const enqueue = useCallback<Mutation<Name>['enqueue']>(
    async (args, companions) => (await context.sync.mutate(name, args, companions)).uid,
    [context, name],
  );
  const mutate = useCallback<Mutation<Name>['mutate']>(
    async (args, { companions, fallback, onAccepted }) => {
      let uid: string;
      try {
        ({ uid } = await context.sync.mutate(name, args, companions));
      } catch (error) {
        toasts.show(notSaved(error, fallback));
        return { kind: 'failed' };
      }
      const onSeeWhy = () => navigate?.('/waiting');
      const told = { context, toasts, reference, evictsAfterWeek, connection, onSeeWhy, onAccepted };
      const decided = await showOutcomeSoon(told, name, uid);
      return decided.kind === 'cancelled' ? { kind: 'saved' } : decided;
    },
    [connection, context, evictsAfterWeek, name, navigate, reference, toasts],
  );
  const retryRejected = useCallback<Mutation<Name>['retryRejected']>(
    async (rejected) => {
      const queued = await context.sync.retryRejected(rejected);
      const told = { context, toasts, reference, onSeeWhy: () => navigate?.('/waiting') };
      if (queued !== undefined) void showOutcomeWhenDecided(told, name, queued.uid);
    },
    [context, name, navigate, reference, toasts],
  );
  return useMemo(
    () => ({ may: objection === undefined, objection, mutate, enqueue, retryRejected }),
    [enqueue, mutate, objection, retryRejected],
  );
}
