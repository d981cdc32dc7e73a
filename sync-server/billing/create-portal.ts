import type { User } from '../../shared/tables/index.ts';
import { pathOf } from '../../shared/routes.ts';
import { forbidden, notFound } from '../http/http-problem.ts';
import { missingAtStripe, type BillingParts } from './billing-parts.ts';
import { findCustomer } from './ensure-customer.ts';

/**
 * The address of the provider's page where a tradie cancels, resumes or changes the card.
 *
 * @throws HttpProblem 403 `not-a-tradie`, 404 `no-subscription` where nothing was ever paid here.
 */
export async function createPortal(parts: BillingParts, person: User, origin: string): Promise<{ url: string }> {
  if (person.tradieId === null) throw forbidden('Only tradies have a subscription to manage.', 'not-a-tradie');
  const customer = await findCustomer(parts.database.sql, person.id);
  if (customer === undefined) throw noSubscription();
  try {
    const { url } = await parts.payments.stripe.billingPortal.sessions.create({
      customer,
      return_url: origin + pathOf('/edit-account'),
    });
    return { url };
  } catch (error) {
    if (missingAtStripe(error)) throw noSubscription();
    throw error;
  }
}

function noSubscription() {
  return notFound('There is no subscription to manage yet.', 'no-subscription');
}
