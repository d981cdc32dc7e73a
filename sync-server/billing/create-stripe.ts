import Stripe from 'stripe';

/** The version whose shapes this code was written for. Webhook endpoints must be made with the same one. */
export const stripeVersion = '2026-10-28.endive';

interface StripeSource {
  secretKey: string;
  /** Answers in place of the network: the embedded payments, in this process. */
  fetch?: typeof globalThis.fetch;
}

/** The payment provider's own SDK, unmodified, for the hosted and the embedded payments alike. */
export function createStripe({ secretKey, fetch }: StripeSource): Stripe {
  return new Stripe(secretKey, {
    apiVersion: stripeVersion,
    telemetry: false,
    maxNetworkRetries: 2,
    timeout: 20_000,
    ...(fetch === undefined ? {} : { httpClient: Stripe.createFetchHttpClient(fetch) }),
  });
}
