import { monthlyPrice } from '../../../shared/lib/price.ts';
import type { Price } from './wire.ts';

export const embeddedPriceId = 'price_dwang_tradie_monthly';
const productId = 'prod_dwang_tradie';

const { subtotal: cents } = monthlyPrice;

/** $19 + GST a month. */
export const price: Price = {
  id: embeddedPriceId,
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created: Date.UTC(2026, 0, 1) / 1000,
  currency: 'nzd',
  custom_unit_amount: null,
  livemode: false,
  lookup_key: null,
  metadata: {},
  nickname: null,
  product: productId,
  recurring: { interval: 'month', interval_count: 1, meter: null, trial_period_days: null, usage_type: 'licensed' },
  tax_behavior: 'exclusive',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
  unit_amount: cents,
  unit_amount_decimal: String(cents),
};

export const product = {
  id: productId,
  object: 'product',
  active: true,
  name: 'Dwang tradie subscription',
  livemode: false,
  metadata: {},
  default_price: embeddedPriceId,
  created: price.created,
};
