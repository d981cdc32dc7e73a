import { randomBytes } from 'node:crypto';
import { sql as rawSql } from 'kysely';
import type Router from '@koa/router';
import { minute } from '../../../shared/lib/durations.ts';
import { answerCalls, type AtOnce } from './answer-call.ts';
import { renewIfDue } from './subscription-lifecycle.ts';
import { expireSession, mustFindSession } from './checkout-sessions.ts';
import { createDeliveries, type DeliveryOptions } from './deliveries.ts';
import { grant, type Grant } from './grant.ts';
import { findDue, findObject } from './objects.ts';
import { type PaymentContext, type PaymentParts } from './payment-parts.ts';
import { paymentRoutes } from './payment-routes.ts';
import { embeddedPriceId } from './price.ts';
import { advisoryLocks } from '../../db/advisory-locks.ts';

export interface EmbeddedPaymentsOptions extends PaymentParts, Pick<DeliveryOptions, 'closing' | 'scramble'> {
  /** Origin at which this server reaches itself. A function, because a port may only be known after listening. */
  ownUrl: () => string;
}

export interface EmbeddedPayments {
  /** The pages below /dev/payments. */
  router: Router;
  /** For `createStripe`: the SDK's requests are answered in this process. */
  source: { secretKey: string; fetch: typeof globalThis.fetch };
  webhookSecret: string;
  priceId: string;
  /** For seeding. */
  grant(grant: Grant): Promise<void>;
  /**
   * Does what is due by the clock (trials end, months begin, checkouts expire), and delivers its events. It also runs
   * by itself.
   */
  settle(): Promise<void>;
}

/**
 * The payment provider of a new installation, for tests and for trying the product: the calls our billing makes, the
 * two pages people see, and signed webhooks. No card is asked for and no money moves.
 */
export function createEmbeddedPayments(options: EmbeddedPaymentsOptions): EmbeddedPayments {
  const { database, clock, log, closing, ownUrl } = options;
  const webhookSecret = `whsec_${randomBytes(24).toString('hex')}`;
  const secretKey = `sk_test_${randomBytes(24).toString('hex')}`;
  const deliveries = createDeliveries({
    ...options,
    secret: webhookSecret,
    target: () => `${ownUrl()}/api/stripe/webhook`,
  });

  const atOnce: AtOnce = async (work) => {
    const result = await database.transaction(async (sql) => {
      await rawSql`select pg_advisory_xact_lock(${advisoryLocks.payments})`.execute(sql);
      const context = { sql, now: Math.floor(clock().getTime() / 1000) };
      await applyDueEvents(context);
      return work(context);
    });
    deliveries.wake();
    return result;
  };

  async function settle(): Promise<void> {
    await atOnce(() => Promise.resolve());
    await deliveries.drain();
  }

  const timer = setInterval(() => {
    settle().catch((error: unknown) => {
      if (!closing.aborted) log.error({ err: error }, 'the test payments could not move on');
    });
  }, minute).unref();
  closing.addEventListener('abort', () => clearInterval(timer));

  const fetch = answerCalls(secretKey, atOnce);
  return {
    router: paymentRoutes({ atOnce, deliveries }),
    source: { secretKey, fetch },
    webhookSecret,
    priceId: embeddedPriceId,
    grant: (given) => atOnce((context) => grant(context, given)),
    settle,
  };
}

/** One after the other, each at its due time: after a year away twelve months were due. */
async function applyDueEvents(context: PaymentContext): Promise<void> {
  for (let due = await findDue(context); due !== undefined; due = await findDue(context)) {
    const then = { ...context, now: due.dueAt };
    if (due.kind === 'checkout.session') await expireSession(then, await mustFindSession(then, due.id));
    const subscription = due.kind === 'subscription' ? await findObject(then, 'subscription', due.id) : undefined;
    if (subscription) await renewIfDue(then, subscription);
  }
}
