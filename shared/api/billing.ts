import * as z from 'zod/mini';
import { nzbnPattern } from '../lib/nzbn.ts';
import { categoryId, keepable, locationId, phone, visible } from '../tables/fields.ts';
import { defineCall } from './define-call.ts';
import { accountEmail } from './users.ts';

/** The first `longest` UTF-16 units; a character that would be cut in two is left out. */
function cutTo(text: string, longest: number): string {
  return text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
}

/** Onboarding texts that are too long are shortened, not rejected. */
function cutText(what: string, longest: number, ...checks: ReturnType<typeof z.minLength>[]) {
  const typed = z.string(`${what} is required.`).check(z.trim(), ...checks, keepable(what), visible(what));
  return z.pipe(
    typed,
    z.transform((text: string) => cutTo(text, longest).trim()),
  );
}

const mustBeThere = (what: string) => z.minLength(1, `${what} is required.`);
const list = z
  .array(categoryId, 'Choose your trade categories from the list.')
  .check(z.maxLength(40, 'That is more categories than there are.'));

/** A list inside a JSON text, as in the onboarding payload. */
const categoryIds = z.pipe(
  z
    .string('Choose your trade categories from the list.')
    .check(z.maxLength(10_000, 'That is more categories than there are.')),
  z.transform((typed: string, context) => {
    const read = list.safeParse(parsed(typed));
    if (read.success) return [...new Set(read.data)];
    context.issues.push({
      code: 'custom',
      message: read.error.issues[0]?.message ?? 'Choose your trade categories from the list.',
      input: typed,
    });
    return z.NEVER;
  }),
);

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The onboarding payload. */
export const tradieData = z.object({
  nzbn: z.string('NZBN is required').check(z.trim(), z.regex(nzbnPattern, 'An NZBN is 94 followed by 11 digits.')),
  businessName: cutText('Business name', 200, mustBeThere('Business name')),
  businessAddress: cutText('Business address', 300, mustBeThere('Business address')),
  contactPhone: z.nullable(phone),
  description: cutText('Description', 400),
  /** The public address of an uploaded logo, or nothing. */
  logo: z.string('That logo address is not valid.').check(z.maxLength(600, 'That logo address is too long.')),
  categoryIds,
  locationId: z.nullable(locationId),
});

export type TradieData = z.output<typeof tradieData>;

/** The address that the browser goes to next: the payment provider's page. */
const url = z.object({ url: z.url() });

export const billingCalls = {
  'billing.checkout': defineCall('POST', '/api/stripe/create-checkout', {
    access: 'member',
    body: z.object({ tradieData, email: accountEmail }),
    answer: url,
  }),
  'billing.portal': defineCall('POST', '/api/stripe/create-portal', {
    access: 'member',
    answer: url,
  }),
  'billing.subscription': defineCall('GET', '/api/stripe/subscription', {
    access: 'member',
    answer: z.object({ trialEnd: z.nullable(z.iso.datetime()), currentPeriodEnd: z.nullable(z.iso.datetime()) }),
  }),
};
