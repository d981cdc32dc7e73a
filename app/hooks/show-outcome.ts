import type { App, SessionContext } from '../context/app-context.ts';
import type { MutationName } from '../../shared/mutations/index.ts';
import type { RejectedEntry } from '../db/person-db.ts';
import type { Decision } from '../sync/wait-for.ts';
import { acceptedToast } from '../words/mutation-words.ts';
import { words } from '../words/common-words.ts';
import { savedForLater } from '../words/reach-words.ts';

/** How long a person waits before "saved" is the better answer. */
export const outcomeWaitMs = 2_000;

/** What became of a mutation within `outcomeWaitMs`. */
export type Decided =
  /** The server has accepted; the mutation's toast is on the screen. */
  | { readonly kind: 'accepted' }
  /** It is on this phone and will be sent; the person has been told so, and will be told its outcome. */
  | { readonly kind: 'saved' }
  | { readonly kind: 'rejected'; readonly rejected: RejectedEntry }
  /** It was undone, or another tab sent it: nothing is shown here. */
  | { readonly kind: 'cancelled' };

export interface OutcomeContext {
  readonly context: Pick<SessionContext, 'sync' | 'db'>;
  readonly toasts: App['toasts'];
  /** Where the place of a job is read. */
  readonly reference: Pick<App['reference'], 'current'>;
  /** Leads to what "See why" shows. */
  readonly onSeeWhy: () => void;
  /** The server has applied it. */
  readonly onAccepted?: (() => void) | undefined;
}

/**
 * The outcome within `outcomeWaitMs`; where that cannot be read, the mutation is on this phone all the same. Where the
 * session context was closed meanwhile (log-out, a newer app in another tab) this never resolves: nothing may be
 * claimed, and the form must not go on.
 */
async function decisionOf({ sync, db }: OutcomeContext['context'], uid: string): Promise<Decision> {
  const decision = await sync.waitFor(uid, outcomeWaitMs).catch((): Decision => ({ kind: 'still-waiting' }));
  return db.hasBeenClosed() ? new Promise<never>(() => undefined) : decision;
}

/** With what it is about: the job may be on no screen any more. */
async function refusalToast({ context: { db }, reference }: OutcomeContext, rejected: RejectedEntry) {
  const { message } = rejected;
  const subject = await import('./rejected-subject.ts').then(
    ({ rejectedSubject }) => `${rejectedSubject(db, reference, rejected)}: `,
    () => '',
  );
  return { title: words.notAccepted, description: `${subject}${message}`, variant: 'destructive' } as const;
}

/**
 * Tells what becomes of a mutation that was just queued, as screens promise it: its toast if the server accepts within
 * `outcomeWaitMs`, else "Saved on this phone…" now and the toast later. A rejection within that time is shown with its
 * reason.
 */
export async function showOutcomeSoon(
  told: OutcomeContext & Pick<App, 'evictsAfterWeek' | 'connection'>,
  name: MutationName,
  uid: string,
): Promise<Decided> {
  const { context, toasts, evictsAfterWeek, connection, onAccepted } = told;
  const decision = await decisionOf(context, uid);
  if (decision.kind === 'cancelled') return decision;
  if (decision.kind === 'applied') {
    const toast = acceptedToast(name);
    if (toast !== undefined) toasts.show(toast);
    onAccepted?.();
    return { kind: 'accepted' };
  }
  if (decision.kind === 'rejected') {
    toasts.show(await refusalToast(told, decision.rejected));
    return { kind: 'rejected', rejected: decision.rejected };
  }
  toasts.show({
    title: savedForLater(connection.current().kind),
    ...(evictsAfterWeek ? { description: words.keepOpen } : {}),
  });
  void showOutcomeWhenDecided(told, name, uid);
  return { kind: 'saved' };
}

/**
 * Shows the outcome of a mutation that no screen waits for any more, whenever it comes while the app is open. Never
 * rejects: where the session context was closed (log-out, a newer app in another tab) nothing is shown, and a read
 * error is reported.
 */
export async function showOutcomeWhenDecided(told: OutcomeContext, name: MutationName, uid: string): Promise<void> {
  const { context, toasts, onSeeWhy, onAccepted } = told;
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
  if (decision.kind === 'rejected') {
    toasts.show({ ...(await refusalToast(told, decision.rejected)), action: { label: 'See why', onAction: onSeeWhy } });
  }
}
