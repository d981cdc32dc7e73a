/*
 * `npm run ops -- reconcile`: compares every subscription with the payment provider now, and puts right what differs.
 * The server does it every night by itself.
 */
import { createStripe } from '../../sync-server/billing/create-stripe.ts';
import { reconcile } from '../../sync-server/billing/reconcile.ts';
import type { Config } from '../../sync-server/lib/config.ts';
import { createLog } from '../../sync-server/lib/log.ts';
import { readArguments } from '../read-arguments.mjs';
import { withDatabase } from '../run-command.ts';

const stripeOf = ({ stripe }: Config) => {
  if (stripe === undefined)
    throw new Error('STRIPE_SECRET_KEY is not set: the test payments live in the server, which compares by itself.');
  return stripe;
};

export async function run(args: string[]): Promise<void> {
  readArguments('npm run ops -- reconcile', {}, { args });
  await withDatabase(
    async (database, config) => {
      const stripe = stripeOf(config);
      const payments = {
        stripe: createStripe(stripe),
        webhookSecret: stripe.webhookSecret,
        priceId: stripe.priceId,
        trialDays: config.trialDays,
      };
      const found = await reconcile({ database, clock: () => new Date(), log: createLog(config.logLevel), payments });
      console.log(
        found === undefined
          ? 'Another server is at it.'
          : `Compared ${found.checked}: mended ${found.mended}, of no person here ${found.strangers}, unknown to Stripe ${found.unknown}.`,
      );
    },
    { check: stripeOf },
  );
}
