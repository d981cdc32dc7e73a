import type { AnswerOf, CallName, SentBodyOf } from '../../shared/api/index.ts';

const jobId = '0199f1c2-7d5b-7c3e-9a41-5b1f0c6d2e83';
const tradieId = '0199e0aa-1c2d-7b6f-8e10-2f3a4b5c6d7e';
const userId = '0199e0a9-5e6f-7a1b-9c2d-3e4f5a6b7c8d';
const createdAt = '2026-11-20T20:15:00.000Z';

const user = {
  id: userId,
  email: 'wiremu@example.nz',
  firstName: 'Wiremu',
  lastName: 'Parata',
  isTradie: true,
  tradieId,
  subscriptionStatus: 'trialing',
  subscriptionValidUntil: '2026-12-04T20:00:00.000Z',
};
const winton = { id: 'southland/winton', region: 'Southland', town: 'Winton' };
const spouting = { id: 'spouting', name: 'Spouting and Guttering' };
const job = {
  id: jobId,
  title: 'Replace spouting on the south side',
  description: 'About 14 metres, single storey.',
  locationId: winton.id,
  location: winton,
  budgetMin: null,
  budgetMax: 1_200,
  urgency: 'soon' as const,
  categoryId: spouting.id,
  status: 'active' as const,
  images: [],
  interestCount: 1,
  address: null,
  suburb: null,
  createdAt,
};
const listed = {
  id: tradieId,
  businessName: 'Southern Spouting',
  logo: '',
  categories: [spouting],
  locationId: winton.id,
  isVerified: true,
};
const profile = {
  ...listed,
  userId,
  nzbn: '9429040402543',
  registeredName: 'SOUTHERN SPOUTING LIMITED',
  description: 'Spouting and small roof repairs.',
  contactPersonFirstName: 'Wiremu',
  contactPersonLastName: 'Parata',
  businessAddress: '12 Station Road, Winton',
  email: 'wiremu@example.nz',
  contactPhone: '+64271234567',
};
const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/example';
const note = 'I could come by on Thursday.';
const interest = { id: '0199f1c9-02b4-7d18-8f6a-9b7c5d3e1f20', jobId, note, createdAt };

type Examples = { readonly [Name in CallName]: { answer: AnswerOf<Name>; body?: SentBodyOf<Name> } };

/**
 * What one call of each looks like, for people who read the document. Made up, and held to the calls' schemas by a
 * test.
 */
export const examples: Examples = {
  'config.read': { answer: { supabaseUrl: 'https://dwang.example.nz', supabaseAnonKey: 'sb_publishable_example' } },
  'locations.list': { answer: [winton] },
  'categories.list': { answer: [spouting] },
  'alerts.subscribe': { body: { endpoint, keys: { p256dh: `B${'A'.repeat(86)}`, auth: 'A'.repeat(22) } }, answer: {} },
  'alerts.unsubscribe': { body: { endpoint }, answer: {} },
  'users.me': { answer: user },
  'users.create': {
    body: { email: user.email, firstName: user.firstName, lastName: user.lastName },
    answer: { ...user, isTradie: false, tradieId: null, subscriptionStatus: null, subscriptionValidUntil: null },
  },
  'tradies.list': { answer: [listed] },
  'tradies.mine': { answer: profile },
  'tradies.interests': { answer: [{ id: interest.id, createdAt, jobId, note, job }] },
  'tradies.read': { answer: profile },
  'tradies.edit': { body: { contactPhone: '027 123 4567', categoryIds: [spouting.id] }, answer: profile },
  'jobs.list': { answer: [job] },
  'jobs.read': { answer: job },
  'jobs.interests': {
    answer: [
      {
        ...interest,
        tradie: {
          id: tradieId,
          userId,
          businessName: listed.businessName,
          logo: '',
          email: profile.email,
          contactPhone: profile.contactPhone,
        },
      },
    ],
  },
  'jobs.post': {
    body: {
      id: jobId,
      title: job.title,
      description: job.description,
      locationId: winton.id,
      budgetMax: 1_200,
      urgency: 'soon',
      categoryId: spouting.id,
      images: [],
    },
    answer: { ...job, userId, interestCount: 0 },
  },
  'jobs.edit': { body: { title: job.title, budget_max: 1_500 }, answer: { ...job, userId, budgetMax: 1_500 } },
  'jobs.close': { body: { reason: 'Closed by user' }, answer: { ...job, userId, status: 'closed' } },
  'jobs.express': { body: { note }, answer: interest },
  'billing.checkout': {
    body: {
      tradieData: {
        nzbn: '9429036748471',
        businessName: profile.businessName,
        businessAddress: profile.businessAddress,
        contactPhone: '027 123 4567',
        description: profile.description,
        logo: '',
        categoryIds: '["spouting"]',
        locationId: winton.id,
      },
      email: user.email,
    },
    answer: { url: 'https://checkout.stripe.com/c/pay/cs_test_example' },
  },
  'billing.portal': { answer: { url: 'https://billing.stripe.com/p/session/example' } },
  'billing.subscription': {
    answer: { trialEnd: user.subscriptionValidUntil, currentPeriodEnd: user.subscriptionValidUntil },
  },
};
