import { formatPhone, toE164 } from '../../../shared/lib/phone.ts';
import { profileFields } from '../../../shared/mutations/profile.ts';
import type { Tradie } from '../../../shared/tables/index.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';

/** The form's values, as typed. */
export interface ProfileForm {
  readonly businessName: string;
  readonly businessAddress: string;
  readonly categoryIds: readonly string[];
  readonly contactPersonFirstName: string;
  readonly contactPersonLastName: string;
  readonly contactPhone: string;
  readonly description: string;
  /** A region alone is half a choice: only the town counts. */
  readonly place: { readonly region: string; readonly locationId: string };
}

/** The columns of the profile that the form can change, the logo aside. */
export type ProfileBase = Pick<
  Tradie,
  | 'businessName'
  | 'businessAddress'
  | 'categoryIds'
  | 'contactPersonFirstName'
  | 'contactPersonLastName'
  | 'contactPhone'
  | 'description'
  | 'locationId'
>;

export type ProfileSet = Partial<Omit<ProfileBase, 'contactPhone'> & { contactPhone: string }>;

export const baseFields = [
  'businessName',
  'businessAddress',
  'categoryIds',
  'contactPersonFirstName',
  'contactPersonLastName',
  'contactPhone',
  'description',
  'locationId',
] as const satisfies readonly (keyof ProfileBase)[];

export function baseOf(tradie: Tradie): ProfileBase {
  const {
    businessName,
    businessAddress,
    categoryIds,
    contactPersonFirstName,
    contactPersonLastName,
    contactPhone,
    description,
    locationId,
  } = tradie;
  return {
    businessName,
    businessAddress,
    categoryIds,
    contactPersonFirstName,
    contactPersonLastName,
    contactPhone,
    description,
    locationId,
  };
}

export function formOf(base: ProfileBase, lists: Pick<ReferenceLists, 'place'>): ProfileForm {
  const { locationId, contactPhone, ...rest } = base;
  return {
    ...rest,
    contactPhone: contactPhone === null ? '' : formatPhone(contactPhone),
    place: { region: lists.place(locationId)?.region ?? '', locationId: locationId ?? '' },
  };
}

const sameList = (one: readonly string[], other: readonly string[]) =>
  one.toSorted().join('\n') === other.toSorted().join('\n');

/** Only what differs from where the person began: other people's changes to the rest are kept. */
export function changesOf(form: ProfileForm, base: ProfileBase): ProfileSet {
  const set: ProfileSet = {};
  for (const field of [
    'businessName',
    'businessAddress',
    'contactPersonFirstName',
    'contactPersonLastName',
    'description',
  ] as const) {
    if (form[field].trim() !== base[field]) set[field] = form[field].trim();
  }
  const phone = form.contactPhone.trim();
  if ((toE164(phone) ?? phone) !== (base.contactPhone ?? '')) set.contactPhone = phone;
  if (!sameList(form.categoryIds, base.categoryIds)) set.categoryIds = [...form.categoryIds];
  const locationId = form.place.locationId === '' ? null : form.place.locationId;
  if (locationId !== base.locationId) set.locationId = locationId;
  return set;
}

export type ProfileProblems = Partial<Record<keyof ProfileBase, string>>;

/** What prevents saving, field by field, by the mutation's own rules. */
export function problemsOf(form: ProfileForm, set: ProfileSet): ProfileProblems {
  const problems: ProfileProblems = {};
  if (form.contactPhone.trim() === '') problems.contactPhone = 'Phone number is required';
  const checked = profileFields.safeParse(set);
  for (const issue of checked.error?.issues ?? [])
    problems[String(issue.path[0]) as keyof ProfileBase] ??= issue.message;
  return problems;
}
