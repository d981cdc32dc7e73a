import * as z from 'zod/mini';
import { categoryId, id, keepable, locationId, phone, text } from '../tables/fields.ts';
import { defineMutation } from './define-mutation.ts';
import { mustNotBeStale } from './edit.ts';
import { Refusal } from './refusal.ts';

const logo = z.string().check(z.maxLength(600, 'That logo address is too long.'));
const optionalText = (what: string, longest: number) =>
  z.string().check(z.trim(), z.maxLength(longest, `${what} can be ${longest} characters at most.`), keepable(what));

/** What a tradie may change about their business. Bounds: specification sections 5 and 9; the rest are ours. */
export const profileFields = z.partial(z.object({
  businessName: text('Business name', 200),
  businessAddress: text('Business address', 300),
  contactPersonFirstName: optionalText('First name', 80),
  contactPersonLastName: optionalText('Last name', 80),
  contactPhone: phone,
  description: optionalText('Description', 400),
  logo,
  categoryIds: z.array(categoryId).check(z.maxLength(40, 'That is more categories than there are.')),
  locationId: z.nullable(locationId),
}));

/** Does this address lie in the person's own folder of the logos, which stand beside the job photos (path = user/name)? */
export function isOwnLogo(url: string, { photoBase, userId }: { photoBase: string; userId: string }): boolean {
  const ownPath = `${photoBase.replace(/job-photos\/$/, 'tradie-logos/')}${userId}/`;
  return url.startsWith(ownPath) && /^[^/?#\\\s]+$/.test(url.slice(ownPath.length));
}

export const profileMutations = {
  /** A tradie's own business profile. */
  'profile.edit': defineMutation({
    on: 'tradies',
    args: z.object({
      id,
      set: profileFields,
      base: z.record(z.string(), z.unknown()),
    }),
    allow: ({ actor, row }) => row.userId === actor.id,
    apply: async (tx, { actor, args, row, photoBase }) => {
      mustNotBeStale(row, args.set, args.base);
      const logo = args.set.logo ?? '';
      if (logo !== '' && logo !== row.logo && !isOwnLogo(logo, { photoBase, userId: actor.id })) {
        const message = 'That logo is not one of yours. Upload it again.';
        throw new Refusal('foreign-photo', message, { logo: message });
      }
      await tx.tradies.update(row.id, args.set as Partial<typeof row>);
    },
  }),
};
