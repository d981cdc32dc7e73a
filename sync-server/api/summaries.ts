import type { CallName } from '../../shared/api/index.ts';

/** What each call does, in the API reference. Not beside the call: the browser would load it. */
export const summaries: { readonly [Name in CallName]: string } = {
  'alerts.subscribe': 'Has one’s browser told of news: its PushSubscription, made with the `pushKey` of `/api/config`.',
  'alerts.unsubscribe': 'Ends that. A browser that was not told before is no error.',
  'billing.checkout':
    'Begins a subscription: keeps the onboarding and answers the address of the checkout page. The email must be the account’s own. Who pays already and has no business, because a restore lost it, gets it without a page. 409 `already-subscribed` where one runs, `nzbn-taken` with `details.fields` where another business has the number.',
  'billing.portal':
    'The address of the page where a tradie manages the subscription. 404 `no-subscription` where there was never one.',
  'billing.subscription':
    'Until when the tradie’s subscription runs, as the payment provider says now. Null where it says nothing.',
  'jobs.list':
    'Active jobs, for tradies with a running subscription; with `type=my-jobs` one’s own jobs in every state.',
  'jobs.read':
    'One job: an active one for every caller who has the link, a closed one for its owner and the tradies who expressed interest.',
  'jobs.interests': 'Who is interested, with contact details, for the owner; a tradie sees their own interest only.',
  'jobs.post': 'Posts a job. `id` and the header `Idempotency-Key` make a repeat harmless.',
  'jobs.edit': 'Changes one’s own active job. `images` is the whole list, in its order: existing and new addresses.',
  'jobs.close': 'Closes one’s own job. Closing a closed job changes nothing.',
  'jobs.express': 'Expresses interest in an active job; the tradie’s contact details go to the homeowner.',
  'config.read': 'Where sign-in and files are: the address and the public key.',
  'locations.list': 'Every town, by region.',
  'categories.list': 'Every trade category.',
  'tradies.list': 'Every tradie, without contact details.',
  'tradies.mine': 'The current user’s own profile.',
  'tradies.interests': 'The jobs one has expressed interest in.',
  'tradies.read': 'A public profile; with email and phone for those signed in. Contact reads are counted and limited.',
  'tradies.edit': 'Changes one’s own profile. The email is the account’s and stays as it is: another one is refused.',
  'users.me': 'The current user. 404 `profile-missing` means signed in without a profile record yet.',
  'users.create': 'Makes the profile of the person signed in. The address must be the account’s own.',
};
