import type { App, SessionContext } from '../context/app-context.ts';
import type { MutationName } from '../../shared/mutations/index.ts';
import type { Decision } from '../sync/wait-for.ts';
import { acceptedToast } from '../words/mutation-words.ts';
import { words } from '../words/promises.ts';

interface Told {
  readonly context: SessionContext;
  readonly toasts: App['toasts'];
  /** Where "See why" leads. */
  readonly onSeeWhy: () => void;
  /** The server has applied it. */
  readonly onAccepted?: (() => void) | undefined;
}

/**
 * Shows the outcome of a mutation that no screen waits for any more, whenever it comes while the app is open. Never rejects: where the
 * session context was closed (log-out, a newer app in another tab) nothing is shown, and a read error is reported.
 */
export async function tellWhenDecided(
  { context, toasts, onSeeWhy, onAccepted }: Told,
  name: MutationName,
  uid: string,
): Promise<void> {
  let decision: Decision;
  try {
    decision = await context.sync.waitFor(uid, Infinity);
  } catch {
    if (context.db.hasBeenClosed()) return;
    toasts.show({
      title: 'Error',
      description: "We couldn't read what became of your change.",
      variant: 'destructive',
      action: { label: 'See what waits', onAction: onSeeWhy },
    });
    return;
  }
  const toast = acceptedToast(name);
  if (decision.kind === 'applied') {
    if (toast !== undefined) toasts.show(toast);
    onAccepted?.();
  }
  if (decision.kind === 'refused') {
    toasts.show({
      title: words.notAccepted,
      description: decision.rejected.message,
      variant: 'destructive',
      action: { label: 'See why', onAction: onSeeWhy },
    });
  }
}
