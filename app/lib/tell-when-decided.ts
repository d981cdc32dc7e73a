import type { App, House } from '../app-context.ts';
import type { MutationName } from '../../shared/mutations/index.ts';
import type { ToastContent } from '../ui/create-toasts.ts';
import type { Decision } from '../sync/wait-for.ts';
import { words } from '../words/promises.ts';

/** The specification's success toasts; they may be shown only once the server has accepted (product.md section 2). */
export const acceptedToasts: Partial<Readonly<Record<MutationName, ToastContent>>> = {
  'job.post': { title: 'Job Posted!', description: 'Your job has been posted successfully. Tradies can now express interest.' },
  'job.edit': { title: 'Job Updated!' },
  'job.close': { title: 'Job closed', description: 'This job has been marked as closed.' },
  'interest.express': { title: 'Interest expressed', description: 'The homeowner will be able to see your details and contact you.' },
  'profile.edit': { title: 'Profile Updated' },
};

interface Told {
  readonly house: House;
  readonly toasts: App['toasts'];
  /** Where "See why" leads. */
  readonly onSeeWhy: () => void;
  /** The server has taken it. */
  readonly onAccepted?: (() => void) | undefined;
}

/**
 * Says what became of a mutation nobody stands waiting for any more, whenever that is while the app is open. Never rejects: where the
 * house has been left (log-out, a newer app in another tab) there is nobody to tell, and what cannot be read is said.
 */
export async function tellWhenDecided({ house, toasts, onSeeWhy, onAccepted }: Told, name: MutationName, uid: string): Promise<void> {
  let decision: Decision;
  try {
    decision = await house.sync.waitFor(uid, Infinity);
  } catch {
    if (house.db.hasBeenClosed()) return;
    toasts.show({
      title: 'Error',
      description: "We couldn't read what became of your change.",
      variant: 'destructive',
      action: { label: 'See what waits', onAction: onSeeWhy },
    });
    return;
  }
  const toast = acceptedToasts[name];
  if (decision.kind === 'applied') {
    if (toast !== undefined) toasts.show(toast);
    onAccepted?.();
  }
  if (decision.kind === 'refused') {
    toasts.show({
      title: words.notAccepted,
      description: decision.refused.message,
      variant: 'destructive',
      action: { label: 'See why', onAction: onSeeWhy },
    });
  }
}
