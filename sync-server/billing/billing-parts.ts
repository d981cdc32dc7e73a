import Stripe from 'stripe';
import type { Deps, Payments } from '../ports/deps.ts';
import { unavailable } from '../http/http-problem.ts';

/** What billing is made of. */
export interface BillingParts extends Pick<Deps, 'database' | 'clock' | 'log'> {
  payments: Payments;
}

/** @throws HttpProblem 503 where neither a payment provider is configured nor the embedded payments may answer. */
export function billingParts({
  database,
  clock,
  log,
  payments,
}: Pick<Deps, 'database' | 'clock' | 'log' | 'payments'>): BillingParts {
  if (payments === undefined) throw unavailable('Payments are not set up on this server.', 3_600);
  return { database, clock, log, payments };
}

/** What does the payment provider not know? Undefined where the error is about something else. */
export function missingAtStripe(error: unknown): { param: string | undefined } | undefined {
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError) || error.code !== 'resource_missing')
    return undefined;
  return { param: error.param };
}

/**
 * Asks the payment provider on behalf of a person who waits for the answer.
 *
 * @throws HttpProblem 503 where the provider cannot be reached or is troubled; anything else it throws is our own
 * mistake.
 */
export async function askStripe<T>(parts: Pick<BillingParts, 'log'>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { StripeConnectionError, StripeAPIError, StripeRateLimitError } = Stripe.errors;
    if (
      !(
        error instanceof StripeConnectionError ||
        error instanceof StripeAPIError ||
        error instanceof StripeRateLimitError
      )
    )
      throw error;
    parts.log.warn({ err: error }, 'the payment provider does not answer');
    throw unavailable('The payment service doesn’t answer right now. Try again in a moment.', 5);
  }
}
