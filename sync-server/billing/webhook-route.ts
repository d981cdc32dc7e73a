import Router from '@koa/router';
import type Stripe from 'stripe';
import type { Deps } from '../ports/deps.ts';
import { badRequest, notFound } from '../http/http-problem.ts';
import { readBody } from '../http/read-body.ts';
import { askStripe, billingParts, type BillingParts } from './billing-parts.ts';
import { processEvent } from './process-event.ts';

/** Seconds a signature may be old. */
const tolerance = 300;

/**
 * `POST /api/stripe/webhook`: the payment provider's events, at least once and in no order. 200 `{ received: true }`
 * once it has had its effect, also where it is irrelevant here; 400 `bad-signature` where the signature is not the
 * provider's. Any other status makes the provider try again later.
 */
export function webhookRoute(deps: Deps): Router {
  const router = new Router();
  router.post('/api/stripe/webhook', async (ctx) => {
    if (deps.payments === undefined) throw notFound();
    const parts = billingParts(deps);
    // The signature is over the bytes as they came.
    const bytes = await readBody(ctx, { limit: 1024 * 1024 });
    const event = verified(parts, bytes, ctx.get('Stripe-Signature'));
    await askStripe(parts, () => processEvent(parts, event));
    ctx.body = { received: true };
  });
  return router;
}

function verified({ payments, clock }: BillingParts, bytes: Buffer, signature: string): Stripe.Event {
  try {
    return payments.stripe.webhooks.constructEvent(
      bytes,
      signature,
      payments.webhookSecret,
      tolerance,
      undefined,
      clock().getTime(),
    );
  } catch {
    // The library looks at nothing but what was sent, and fails in ways of its own where a part of the signature is
    // missing.
    throw badRequest('The signature does not match.', 'bad-signature');
  }
}
