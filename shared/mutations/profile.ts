import * as z from 'zod/mini';
import { businessNameProblem } from '../lib/business-name.ts';
import { fileRef } from '../lib/file-ref.ts';
import { categoryId, id, keepable, locationId, phone, text, visible } from '../tables/fields.ts';
import { defineMutation } from './define-mutation.ts';
import { mustNotBeStale } from './edit.ts';
import { missingFile, ownFile, type KnownFiles } from './own-file.ts';
import { Rejection } from './rejection.ts';

const logo = z.string().check(z.maxLength(600, 'That logo address is too long.'));
const optionalText = (what: string, longest: number) =>
  z
    .string()
    .check(
      z.trim(),
      z.maxLength(longest, `${what} can be ${longest} characters at most.`),
      keepable(what),
      visible(what),
    );

/** What a tradie may change about their business, within bounds. */
export const profileFields = z.partial(
  z.object({
    businessName: text('Business name', 200),
    businessAddress: text('Business address', 300),
    contactPersonFirstName: optionalText('First name', 80),
    contactPersonLastName: optionalText('Last name', 80),
    contactPhone: phone,
    description: optionalText('Description', 400),
    logo,
    categoryIds: z.array(categoryId).check(z.maxLength(40, 'That is more categories than there are.')),
    locationId: z.nullable(locationId),
  }),
);

/** A logo as it is to be kept, or why it cannot be. It is in a folder of its own, or under a plain name. */
export function ownLogo(address: string, actorId: string, files: KnownFiles | undefined): ReturnType<typeof ownFile> {
  return ownFile({ bucket: 'tradie-logos', address, actorId, files, isOwnFolder: () => true });
}

/** The same fields, a logo by its bucket and path: an address of it may begin with any origin. */
function withLogoRef<Fields extends object>(fields: Fields): Fields & { logo?: string } {
  const logo = 'logo' in fields && typeof fields.logo === 'string' ? fields.logo : undefined;
  return logo === undefined ? { ...fields } : { ...fields, logo: fileRef('tradie-logos', logo) ?? logo };
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
    files: ({ set }) => [fileRef('tradie-logos', set.logo ?? '') ?? []].flat(),
    apply: async (tx, { actor, args: { set: given, base: before }, row, files }) => {
      const [set, base, standing] = [withLogoRef(given), withLogoRef(before), withLogoRef(row)] as const;
      mustNotBeStale(standing, set, base);
      const problem = businessNameProblem(set.businessName ?? standing.businessName, standing.businessName);
      if (problem !== undefined) throw new Rejection('invalid', problem, { businessName: problem });
      const { logo = '' } = set;
      if (logo !== '' && logo !== standing.logo) {
        const own = ownLogo(logo, actor.id, files);
        const message = 'That logo is not one of yours. Upload it again.';
        if ('objection' in own)
          throw own.objection === 'missing'
            ? missingFile('logo')
            : new Rejection('foreign-photo', message, { logo: message });
        set.logo = own.ref;
      }
      // What was checked was the business under its former name.
      const isRenamed = set.businessName !== undefined && set.businessName !== standing.businessName;
      await tx.tradies.update(row.id, { ...(set as Partial<typeof row>), ...(isRenamed ? { isVerified: false } : {}) });
    },
  }),
};
