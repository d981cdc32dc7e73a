/* `npm run reconcile`: compares every subscription with the payment provider now, and puts right what differs. The server does it every night by itself. */
import { createStripe } from '../sync-server/billing/create-stripe.ts';
import { reconcile } from '../sync-server/billing/reconcile.ts';
import { readConfig } from '../sync-server/config.ts';
import { openDatabase } from '../sync-server/db/open-database.ts';
import { openLog } from '../sync-server/log.ts';

const config = readConfig(process.env);
if (config.stripe === undefined) {
  console.log('STRIPE_SECRET_KEY is not set: the test payments live in the server, which compares by itself.');
  process.exit(1);
}
const database = await openDatabase(config);
try {
  const payments = { stripe: createStripe(config.stripe), webhookSecret: config.stripe.webhookSecret, priceId: config.stripe.priceId, trialDays: config.trialDays };
  const found = await reconcile({ database, clock: () => new Date(), log: openLog(config.logLevel), payments });
  console.log(found === undefined ? 'Another server is at it.' : `Compared ${found.checked}: mended ${found.mended}, of nobody here ${found.strangers}, unknown to Stripe ${found.unknown}.`);
} finally {
  await database.close();
}
