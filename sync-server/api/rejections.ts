import type { CallName } from '../../shared/api/index.ts';

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 503;

const body = {
  400: 'The body is not JSON (`malformed`) or not valid (`invalid`); `details.fields` says by field what is wrong.',
  413: '`too-large`: more than 256 KiB.',
  415: '`unsupported-type`: not `application/json`, or an encoding other than gzip.',
} as const;
const away = { 503: '`unavailable`: not now; nothing was lost. `Retry-After` says when.' } as const;
const badToken = { 401: '`sign-in-needed`: a token that does not count.' } as const;
const signedIn = { 401: '`sign-in-needed`: no token, or one that does not count.' } as const;
const member = { ...signedIn, 403: '`profile-missing`: signed in, but without a profile yet.' } as const;
const otherEmail = '`other-email`: not the address of the account.';
const usedKey = '`uid-reused`: the Idempotency-Key was used for another request.';
const jobMissing = { 404: '`not-found`: there is no such job, or it is not yours to know of.' } as const;

/** Every error of each call, and when. A test compares it with what the calls do: no status more, none fewer. */
export const rejections: { readonly [Name in CallName]: { readonly [S in Status]?: string } } = {
  'config.read': {},
  'locations.list': away,
  'categories.list': away,
  'users.me': { ...signedIn, 404: '`profile-missing`: signed in, but without a profile yet.', ...away },
  'users.create': { ...body, ...signedIn, 403: otherEmail, ...away },
  'tradies.list': away,
  'tradies.mine': { ...member, 404: '`not-found`: not a tradie.', ...away },
  'tradies.interests': { ...member, 403: `${member[403]} \`not-a-tradie\`.`, ...away },
  'tradies.read': {
    ...badToken,
    404: '`not-found`: there is no such tradie.',
    429: '`too-many`: a lot of contact details were opened within the hour. `Retry-After` says when.',
    ...away,
  },
  'tradies.edit': {
    ...body,
    ...member,
    403: `${member[403]} ${otherEmail}`,
    404: '`not-found`: there is no such profile, or it is not yours.',
    409: `${usedKey} \`file-missing\`: storage does not have the logo; upload it again.`,
    ...away,
  },
  'jobs.list': {
    400: '`invalid`: a `type` other than `my-jobs`.',
    ...member,
    403: `${member[403]} \`subscription-required\`: no running tradie subscription.`,
    ...away,
  },
  'jobs.read': { ...badToken, ...jobMissing, ...away },
  'jobs.interests': {
    ...member,
    403: `${member[403]} \`forbidden\`: neither the job’s owner nor a tradie.`,
    ...jobMissing,
    ...away,
  },
  'jobs.post': {
    ...body,
    ...member,
    409: `${usedKey} \`already-exists\`: the id is somebody else’s. \`file-missing\`: storage does not have a photo; upload it again.`,
    ...away,
  },
  'jobs.edit': {
    ...body,
    ...member,
    ...jobMissing,
    409: `${usedKey} \`job-closed\`: closed jobs cannot be edited. \`file-missing\`: storage does not have a photo; upload it again.`,
    ...away,
  },
  'jobs.close': { ...body, ...member, ...jobMissing, 409: usedKey, ...away },
  'jobs.express': {
    ...body,
    ...member,
    403: `${member[403]} \`subscription-required\`: the tradie’s subscription does not run.`,
    404: '`not-found`: there is no such job, it is one’s own, or one is not a tradie.',
    409: `${usedKey} \`job-closed\`: no longer accepting interest. \`already-exists\`: the id is in use.`,
    ...away,
  },
  'billing.checkout': {
    ...body,
    ...member,
    403: `${member[403]} ${otherEmail}`,
    409: '`already-subscribed`: a subscription runs; `nzbn-taken`: another business has the number.',
    ...away,
  },
  'billing.portal': {
    ...body,
    ...member,
    403: `${member[403]} \`not-a-tradie\`.`,
    404: '`no-subscription`: nothing was ever paid here.',
    ...away,
  },
  'alerts.subscribe': { ...body, ...member, ...away },
  'alerts.unsubscribe': { ...body, ...member, ...away },
  'billing.subscription': { ...member, 403: `${member[403]} \`not-a-tradie\`.`, ...away },
};
