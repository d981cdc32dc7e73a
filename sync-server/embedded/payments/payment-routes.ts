import { setTimeout as wait } from 'node:timers/promises';
import { pathOf } from '../../../shared/routes.ts';
import Router from '@koa/router';
import type { Context } from 'koa';
import { hour, second } from '../../../shared/lib/durations.ts';
import { unsupportedType } from '../../http/http-problem.ts';
import { readBody } from '../../http/read-body.ts';
import type { AtOnce } from './answer-call.ts';
import { checkoutPage } from './checkout-page.ts';
import { completeSession, termsOf } from './checkout-sessions.ts';
import type { Deliveries } from './deliveries.ts';
import { findObject, listObjects } from './objects.ts';
import type { PaymentContext } from './payment-parts.ts';
import { lostPage, paymentPagePolicy } from './payment-frame.ts';
import { outcomes, portalActs, portalPage, stateOf, type PortalOutcome } from './portal-page.ts';
import { press } from './portal-action.ts';
import { isEnded } from './subscription-transitions.ts';
import type { PortalSession, Subscription } from './wire.ts';

interface RouteParts {
  atOnce: AtOnce;
  deliveries: Deliveries;
}

/** Seconds a portal page stays open. */
const portalFor = hour / second;
/** Milliseconds the way back waits for our webhook, as the provider's own page does. */
const webhookTimeout = 10_000;

/**
 * The pages of the test payments. Only the person it was made for knows an address.
 *
 * - `GET /dev/payments/checkout/:id` shows what is bought. `POST` with `do=pay` makes one subscription, however often
 * it is sent,
 *   and leads to the success address; `do=cancel` leads to the cancel address. 410 once expired.
 * - `GET /dev/payments/portal/:id` shows the subscription. `POST` with `do=cancel|resume|fail|end-trial`.
 */
export function paymentRoutes({ atOnce, deliveries }: RouteParts): Router {
  const router = new Router({ prefix: '/dev/payments' });
  const told = () => Promise.race([deliveries.drain(), wait(webhookTimeout, undefined, { ref: false })]);

  router.use(async (ctx, next) => {
    // With `no-referrer`, a form's Origin would be null.
    ctx.set({
      'Cache-Control': 'no-store',
      'Content-Security-Policy': paymentPagePolicy,
      'Referrer-Policy': 'same-origin',
    });
    if (ctx.method === 'POST' && !isFromHere(ctx))
      return show(ctx, 403, lostPage('Not from here', 'This form was sent from another site, so nothing was done.'));
    return next();
  });

  router.get('/checkout/:id', async (ctx) => {
    const found = await atOnce(async (context) => {
      const session = await findObject(context, 'checkout.session', idIn(ctx));
      return session && { session, terms: await termsOf(context, session), now: context.now };
    });
    if (found === undefined) return show(ctx, 404, lostPage('Checkout not found', 'There is no such checkout.'));
    const { session, terms, now } = found;
    if (session.status === 'open') return show(ctx, 200, checkoutPage(terms, now));
    if (session.status === 'complete')
      return show(
        ctx,
        200,
        lostPage(
          'Paid already',
          'This checkout is done. There is nothing more to pay.',
          session.success_url ?? pathOf('/dashboard'),
        ),
      );
    return show(ctx, 410, expiredPage(session.cancel_url));
  });

  router.post('/checkout/:id', async (ctx) => {
    const act = (await readFields(ctx)).get('do');
    const found = await atOnce(async (context) => {
      const session = await findObject(context, 'checkout.session', idIn(ctx));
      return session && act === 'pay' ? completeSession(context, session) : session;
    });
    if (found === undefined) return show(ctx, 404, lostPage('Checkout not found', 'There is no such checkout.'));
    if (found.status === 'expired') return show(ctx, 410, expiredPage(found.cancel_url));
    if (act === 'pay') await told();
    const to =
      found.status === 'complete' ? found.success_url?.replaceAll('{CHECKOUT_SESSION_ID}', found.id) : found.cancel_url;
    return goTo(ctx, to ?? pathOf('/dashboard'));
  });

  router.get('/portal/:id', async (ctx) => {
    const found = await atOnce((context) => findPortal(context, idIn(ctx)));
    if (found === undefined)
      return show(
        ctx,
        404,
        lostPage('Page not found', 'This page has closed. Open it again from Manage Account.', pathOf('/edit-account')),
      );
    const said = Object.keys(outcomes).find((outcome): outcome is PortalOutcome => outcome === ctx.query['said']);
    return show(ctx, 200, portalPage(found.subscription, found.session.return_url ?? pathOf('/edit-account'), said));
  });

  router.post('/portal/:id', async (ctx) => {
    const fields = await readFields(ctx);
    const act = portalActs.find((one) => one === fields.get('do'));
    const outcome = await atOnce(async (context) => {
      const found = await findPortal(context, idIn(ctx));
      if (found?.subscription === undefined || act === undefined) return found && 'nothing';
      const isStale = fields.has('state') && fields.get('state') !== stateOf(found.subscription);
      return isStale ? 'nothing' : press(context, act, found.subscription);
    });
    if (outcome === undefined)
      return show(
        ctx,
        404,
        lostPage('Page not found', 'This page has closed. Open it again from Manage Account.', pathOf('/edit-account')),
      );
    await told();
    return goTo(ctx, outcome === 'nothing' ? ctx.path : `${ctx.path}?said=${outcome}`);
  });
  return router;
}

const idIn = (ctx: Context) => String(ctx['params']['id']);
const expiredPage = (back: string | null) =>
  lostPage(
    'This checkout has expired',
    'Nothing was paid. Go back and continue to payment again.',
    back ?? pathOf('/dashboard'),
  );

/** The session while it is open, and the subscription it is about: one that runs, else the newest. */
async function findPortal(
  context: PaymentContext,
  id: string,
): Promise<{ session: PortalSession; subscription: Subscription | undefined } | undefined> {
  const session = await findObject(context, 'billing_portal.session', id);
  if (session === undefined || session.created + portalFor < context.now) return undefined;
  const subscriptions = await listObjects(context, 'subscription', session.customer);
  return { session, subscription: subscriptions.find((one) => !isEnded(one)) ?? subscriptions[0] };
}

/** Browsers send a form's origin; a client without one is no browser that could be tricked. */
function isFromHere(ctx: Context): boolean {
  const origin = ctx.get('Origin');
  if (origin !== '') return URL.canParse(origin) && new URL(origin).host === ctx.host;
  return ['', 'same-origin', 'none'].includes(ctx.get('Sec-Fetch-Site'));
}

async function readFields(ctx: Context): Promise<URLSearchParams> {
  if (!ctx.is('application/x-www-form-urlencoded')) throw unsupportedType('The body must be a form');
  return new URLSearchParams((await readBody(ctx, { limit: 10_000 })).toString());
}

function show(ctx: Context, status: number, page: string): void {
  ctx.status = status;
  ctx.type = 'html';
  ctx.body = page;
}

function goTo(ctx: Context, address: string): void {
  ctx.redirect(address);
  ctx.status = 303;
}
