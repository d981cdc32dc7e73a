import * as z from 'zod/mini';
import { categoryId, id, locationId, phone, text } from '../tables/fields.ts';
import { defineMutation } from './define-mutation.ts';
import { mustNotBeStale } from './edit.ts';

const logo = z.string().check(z.maxLength(600, 'That logo address is too long.'));
const optionalText = (what: string, longest: number) =>
  z.string().check(z.trim(), z.maxLength(longest, `${what} can be ${longest} characters at most.`));

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
    apply: async (tx, { args, row }) => {
      mustNotBeStale(row, args.set, args.base);
      await tx.tradies.update(row.id, args.set as Partial<typeof row>);
    },
  }),
};
