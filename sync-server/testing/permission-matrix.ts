import type { CallName } from '../../shared/api/index.ts';
import type { Role } from './calls-harness.ts';

/** What a call is about: another person's of these is always the `owner`'s job, or the `owningTradie`'s profile. */
export type About =
  | 'nothing'
  | 'my jobs'
  | 'an active job'
  | 'a closed job'
  | 'no job'
  | 'an answered job'
  | 'an answered closed job'
  | 'a profile'
  | 'no profile'
  | 'a begun subscription';

/** `200`, or an error's status and code. */
export type Expected = `${number}` | `${number} ${string}`;

export interface MatrixRow {
  call: CallName;
  about: About;
  expect: { readonly [R in Role]: Expected };
}

const signIn = '401 sign-in-needed';
const noProfile = '403 profile-missing';
const missing = '404 not-found';

/** A row where most callers get the same. */
function row(call: CallName, about: About, others: Expected, expect: Partial<MatrixRow['expect']>): MatrixRow {
  const same = Object.fromEntries(
    (['owner', 'homeowner', 'activeTradie', 'trialingTradie', 'lapsedTradie', 'owningTradie'] as const).map((role) => [
      role,
      others,
    ]),
  );
  // An admin's token opens the status page and no call.
  return {
    call,
    about,
    expect: { ...(same as MatrixRow['expect']), anonymous: signIn, newcomer: noProfile, admin: signIn, ...expect },
  };
}

const everybody = { anonymous: '200', newcomer: '200', admin: '200' } as const;
const byLink = { anonymous: '200', newcomer: '200' } as const;
const tradies = (expected: Expected) => ({
  activeTradie: expected,
  trialingTradie: expected,
  lapsedTradie: expected,
  owningTradie: expected,
});
const subscribers = (expected: Expected) => ({
  activeTradie: expected,
  trialingTradie: expected,
  owningTradie: expected,
});

/**
 * Who may make which call about what. `404` where the caller may not know that the thing exists: the answer is then the
 * very same as for a thing that does not.
 */
export const permissionMatrix: readonly MatrixRow[] = [
  row('config.read', 'nothing', '200', everybody),
  row('locations.list', 'nothing', '200', everybody),
  row('categories.list', 'nothing', '200', everybody),
  row('tradies.list', 'nothing', '200', everybody),

  row('users.me', 'nothing', '200', { newcomer: '404 profile-missing' }),
  row('users.create', 'nothing', '201', { newcomer: '201' }),

  row('tradies.mine', 'nothing', missing, tradies('200')),
  row('tradies.interests', 'nothing', '403 not-a-tradie', tradies('200')),
  row('tradies.read', 'a profile', '200', byLink),
  row('tradies.read', 'no profile', missing, { anonymous: missing, newcomer: missing }),
  row('tradies.edit', 'a profile', missing, { owningTradie: '200' }),
  row('tradies.edit', 'no profile', missing, {}),

  row('jobs.list', 'nothing', '403 subscription-required', subscribers('200')),
  row('jobs.list', 'my jobs', '200', {}),
  row('jobs.read', 'an active job', '200', byLink),
  row('jobs.read', 'a closed job', missing, { anonymous: missing, newcomer: missing, owner: '200' }),
  row('jobs.read', 'an answered closed job', missing, {
    anonymous: missing,
    newcomer: missing,
    owner: '200',
    owningTradie: '200',
  }),
  row('jobs.read', 'no job', missing, { anonymous: missing, newcomer: missing }),

  row('jobs.interests', 'an active job', '200', { homeowner: '403 forbidden' }),
  row('jobs.interests', 'an answered job', '200', { homeowner: '403 forbidden' }),
  row('jobs.interests', 'a closed job', missing, { owner: '200' }),
  row('jobs.interests', 'an answered closed job', missing, { owner: '200', owningTradie: '200' }),
  row('jobs.interests', 'no job', missing, {}),

  row('jobs.post', 'nothing', '201', {}),
  row('jobs.edit', 'an active job', missing, { owner: '200' }),
  row('jobs.edit', 'an answered job', missing, { owner: '200' }),
  row('jobs.edit', 'a closed job', missing, { owner: '409 job-closed' }),
  row('jobs.edit', 'an answered closed job', missing, { owner: '409 job-closed' }),
  row('jobs.edit', 'no job', missing, {}),
  row('jobs.close', 'an active job', missing, { owner: '200' }),
  row('jobs.close', 'an answered job', missing, { owner: '200' }),
  row('jobs.close', 'a closed job', missing, { owner: '200' }),
  row('jobs.close', 'no job', missing, {}),

  // A tradie never answers their own job; a homeowner gets the one answer for every job there is or is not.
  row('jobs.express', 'an active job', missing, { ...subscribers('201'), lapsedTradie: '403 subscription-required' }),
  row('jobs.express', 'an answered job', missing, { ...subscribers('201'), lapsedTradie: '403 subscription-required' }),
  // Subscribers had the job in their feed; a tradie who answered it in time keeps it.
  row('jobs.express', 'a closed job', missing, {
    ...subscribers('409 job-closed'),
    lapsedTradie: '403 subscription-required',
  }),
  row('jobs.express', 'an answered closed job', missing, {
    ...subscribers('409 job-closed'),
    owningTradie: '201',
    lapsedTradie: '403 subscription-required',
  }),
  row('jobs.express', 'no job', missing, { lapsedTradie: '403 subscription-required' }),

  row('alerts.subscribe', 'nothing', '201', {}),
  row('alerts.unsubscribe', 'nothing', '200', {}),

  row('billing.checkout', 'nothing', '200', {}),
  row('billing.portal', 'nothing', '403 not-a-tradie', tradies('404 no-subscription')),
  row('billing.portal', 'a begun subscription', '403 not-a-tradie', tradies('200')),
  row('billing.subscription', 'nothing', '403 not-a-tradie', tradies('200')),
];
