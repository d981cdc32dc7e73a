import type Stripe from 'stripe';

/*
 * The provider's objects as they travel. The SDK's types describe them after it has read them: there, exact amounts are
 * no longer text, and what can be expanded is id or object.
 */

export type Price = Omit<Stripe.Price, 'unit_amount_decimal' | 'product'> & {
  unit_amount_decimal: string;
  product: string;
};

type Item = Omit<Stripe.SubscriptionItem, 'price' | 'plan'> & { price: Price };

export type Subscription = Omit<Stripe.Subscription, 'items' | 'customer' | 'latest_invoice'> & {
  customer: string;
  latest_invoice: string | null;
  items: { object: 'list'; url: string; has_more: boolean; data: [Item] };
};

export type CheckoutSession = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'mode'
  | 'status'
  | 'payment_status'
  | 'url'
  | 'success_url'
  | 'cancel_url'
  | 'client_reference_id'
  | 'metadata'
  | 'created'
  | 'expires_at'
  | 'livemode'
  | 'currency'
  | 'amount_subtotal'
  | 'amount_total'
  | 'automatic_tax'
  | 'total_details'
  | 'billing_address_collection'
  | 'payment_method_types'
  | 'ui_mode'
  | 'customer_email'
  | 'customer_details'
> & { customer: string; subscription: string | null; invoice: string | null };

export type Invoice = Pick<
  Stripe.Invoice,
  | 'id'
  | 'object'
  | 'status'
  | 'billing_reason'
  | 'collection_method'
  | 'created'
  | 'currency'
  | 'livemode'
  | 'metadata'
  | 'number'
  | 'parent'
  | 'amount_due'
  | 'amount_paid'
  | 'amount_remaining'
  | 'attempted'
  | 'attempt_count'
  | 'subtotal'
  | 'total'
  | 'total_excluding_tax'
  | 'period_start'
  | 'period_end'
  | 'automatic_tax'
> & { customer: string };

export type PortalSession = Omit<Stripe.BillingPortal.Session, 'configuration'> & { configuration: string };

export type Customer = Stripe.Customer;

/** What the embedded payments keep, by kind. */
export interface Kinds {
  customer: Customer;
  'checkout.session': CheckoutSession;
  subscription: Subscription;
  invoice: Invoice;
  'billing_portal.session': PortalSession;
}

export type Kind = keyof Kinds;

/** The subscription that a checkout session leads to. Never part of the session as it travels. */
export interface CheckoutTerms {
  trialDays: number;
  metadata: Record<string, string>;
}
