import { defineEntity, p } from '@mikro-orm/core';
import type { TradieData } from '../../../shared/api/billing.ts';
import { json } from './json.ts';
import { UserEntity } from './synced.ts';

/* What the server knows of subscriptions. The provider's word is the truth; these rows say what was last read of it. */

const BillingCustomerEntity = defineEntity({
  name: 'BillingCustomer',
  tableName: 'billing_customer',
  rowLevelSecurity: true,
  properties: {
    user: () => p.manyToOne(UserEntity).primary().updateRule('no action').deleteRule('no action'),
    customerId: p.text().unique(),
    createdAt: p.datetime(),
  },
});

/** What a person typed to become a tradie, until they have paid. It never leaves this server. */
const BillingCheckoutEntity = defineEntity({
  name: 'BillingCheckout',
  tableName: 'billing_checkout',
  rowLevelSecurity: true,
  uniques: [{ name: 'billing_checkout_open', properties: 'user', where: "state = 'open'" }],
  indexes: [
    { name: 'billing_checkout_user_id', properties: 'user' },
    {
      name: 'billing_checkout_nzbn',
      expression:
        "create index billing_checkout_nzbn on billing_checkout ((tradie_data ->> 'nzbn')) where state <> 'paid'",
    },
  ],
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(UserEntity),
    /** The digest of everything that decides what the checkout looks like: the same again is the same checkout. */
    digest: p.text(),
    tradieData: json<TradieData>(),
    sessionId: p.text().nullable().unique(),
    state: p.enum(['open', 'paid', 'dropped']),
    createdAt: p.datetime(),
  },
});

const BillingSubscriptionEntity = defineEntity({
  name: 'BillingSubscription',
  tableName: 'billing_subscription',
  rowLevelSecurity: true,
  indexes: [{ name: 'billing_subscription_user_id', properties: 'user' }],
  properties: {
    id: p.text().primary(),
    user: () => p.manyToOne(UserEntity),
    customerId: p.text(),
    status: p.text(),
    trialEnd: p.datetime().nullable(),
    currentPeriodEnd: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
    startedAt: p.datetime(),
    /** Drawn before the provider was asked: what was asked for earlier never overwrites what was asked for later. */
    ticket: p.bigint('string'),
    readAt: p.datetime(),
  },
});

const BillingEventEntity = defineEntity({
  name: 'BillingEvent',
  tableName: 'billing_event',
  rowLevelSecurity: true,
  indexes: [{ name: 'billing_event_at', properties: 'at' }],
  properties: { id: p.text().primary(), type: p.text(), at: p.datetime() },
});

const BillingReconcileEntity = defineEntity({
  name: 'BillingReconcile',
  tableName: 'billing_reconcile',
  rowLevelSecurity: true,
  properties: {
    onlyRow: p.boolean().primary().default(true).check('only_row'),
    lease: p.uuid().nullable(),
    leaseUntil: p.datetime().nullable(),
    finishedAt: p.datetime().nullable(),
  },
});

/** What the register of New Zealand business numbers said last. */
const NzbnCheckEntity = defineEntity({
  name: 'NzbnCheck',
  tableName: 'nzbn_check',
  rowLevelSecurity: true,
  properties: {
    nzbn: p.text().primary(),
    /** Null: the register has been asked and has not answered yet. */
    isRegistered: p.boolean().nullable(),
    entityName: p.text().nullable(),
    askedAt: p.datetime(),
    answeredAt: p.datetime().nullable(),
  },
});

const NzbnClaimEntity = defineEntity({
  name: 'NzbnClaim',
  tableName: 'nzbn_claim',
  rowLevelSecurity: true,
  indexes: [
    { name: 'nzbn_claim_claimed_by', properties: 'claimedBy' },
    { name: 'nzbn_claim_holder_id', properties: 'holder' },
  ],
  properties: {
    nzbn: p.text().primary(),
    /** Whose payment page may be open under the number, and since when. */
    claimedBy: () => p.manyToOne(UserEntity).name('claimed_by').nullable().deleteRule('set null'),
    claimedAt: p.datetime().nullable(),
    /** Whose business subscribed last under the number. */
    holder: () => p.manyToOne(UserEntity).nullable().deleteRule('set null'),
    /** The number has had its trial. */
    hasSubscribed: p.boolean().default(false),
  },
});

export const billingEntities = {
  BillingCustomerEntity,
  BillingCheckoutEntity,
  BillingSubscriptionEntity,
  BillingEventEntity,
  BillingReconcileEntity,
  NzbnCheckEntity,
  NzbnClaimEntity,
} as const;
