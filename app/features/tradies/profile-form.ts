import { businessNameProblem } from '../../../shared/lib/business-name.ts';
import { formatPhone, toE164 } from '../../../shared/lib/phone.ts';
import type { Tradie } from '../../../shared/tables/index.ts';
import type { Problems } from '../../lib/field-problems.ts';
import type { ReferenceLists } from '../../lib/reference-lists.ts';
import type { Edited, RowForm } from '../../lib/row-form.ts';

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

export type ProfileEdit = Edited<ProfileBase, ProfileForm>;
export type ProfileProblems = Problems<keyof ProfileBase | 'logo'>;

/** Fields that the mutation calls otherwise. */
export const profileAliases = { place: 'locationId' } as const;

export const profileForm = (lists: Pick<ReferenceLists, 'place'>): RowForm<ProfileBase, ProfileForm> => ({
  columns: [
    'businessName',
    'businessAddress',
    'categoryIds',
    'contactPersonFirstName',
    'contactPersonLastName',
    'contactPhone',
    'description',
    'locationId',
  ],
  show: ({ locationId, contactPhone, ...rest }) => ({
    ...rest,
    contactPhone: contactPhone === null ? '' : formatPhone(contactPhone),
    place: { region: lists.place(locationId)?.region ?? '', locationId: locationId ?? '' },
  }),
  read: ({ place, contactPhone, ...rest }) => ({
    businessName: rest.businessName.trim(),
    businessAddress: rest.businessAddress.trim(),
    categoryIds: [...rest.categoryIds],
    contactPersonFirstName: rest.contactPersonFirstName.trim(),
    contactPersonLastName: rest.contactPersonLastName.trim(),
    contactPhone: toE164(contactPhone.trim()) ?? (contactPhone.trim() || null),
    description: rest.description.trim(),
    locationId: place.locationId === '' ? null : place.locationId,
  }),
  shownBy: { locationId: ['place'] },
});

/** What the mutation's schema does not say. A phone is wanted, also where there never was one. */
export function problemsOf({ contactPhone, businessName }: ProfileForm, standing: ProfileBase): ProfileProblems {
  const name = businessNameProblem(businessName, standing.businessName);
  return {
    ...(contactPhone.trim() === '' ? { contactPhone: 'Phone number is required' } : {}),
    ...(name === undefined ? {} : { businessName: name }),
  };
}
