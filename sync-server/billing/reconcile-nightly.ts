import { hour, minute } from '../../shared/lib/durations.ts';
import type { Deps } from '../ports/deps.ts';
import { billingParts } from './billing-parts.ts';
import { reconcile } from './reconcile.ts';

/**
 * Compares the subscriptions with the provider once a day, from now until the server stops; whichever instance comes
 * first.
 */
export function reconcileNightly(deps: Pick<Deps, 'database' | 'clock' | 'log' | 'payments' | 'closing'>): void {
  if (deps.payments === undefined) return;
  const parts = billingParts(deps);
  const look = () =>
    void reconcile(parts, 20 * hour).catch((error: unknown) => {
      parts.log.error({ err: error }, 'subscriptions could not be compared with the payment provider');
    });
  const first = setTimeout(look, minute).unref();
  // In the small hours of New Zealand, when the database has least to do.
  const timer = setInterval(() => isNight(parts.clock()) && look(), hour / 2).unref();
  deps.closing.addEventListener('abort', () => {
    clearTimeout(first);
    clearInterval(timer);
  });
}

function isNight(now: Date): boolean {
  const here = Number(
    new Intl.DateTimeFormat('en-NZ', { hour: 'numeric', hour12: false, timeZone: 'Pacific/Auckland' }).format(now),
  );
  return here >= 2 && here < 5;
}
