import type { ArgsOf, MutationName } from '../../shared/mutations/index.ts';

/** The mutations that change fields of a row that is there. */
export type EditName = {
  [Name in MutationName]: ArgsOf<Name> extends { readonly set: object } ? Name : never;
}[MutationName];

/** The fields' names on every screen. A field of a mutation's schema does not compile without its label. */
export const fieldLabels: { readonly [Name in EditName]: Readonly<Record<keyof ArgsOf<Name>['set'], string>> } = {
  'job.edit': {
    title: 'Title',
    description: 'Description',
    locationId: 'Location',
    budgetMax: 'Budget max',
    urgency: 'Urgency',
    categoryId: 'Category',
  },
  'interest.note': { ownerNote: 'Your note' },
  'search.edit': {
    name: 'Name',
    categoryIds: 'Trades',
    region: 'Region',
    locationId: 'Town',
    withinKm: 'Distance',
    maxBudget: 'Max budget',
    urgencies: 'Urgency',
    words: 'Words',
  },
  'profile.edit': {
    businessName: 'Business name',
    businessAddress: 'Business address',
    contactPersonFirstName: 'Contact first name',
    contactPersonLastName: 'Contact last name',
    contactPhone: 'Contact phone',
    description: 'Business description',
    logo: 'Logo',
    categoryIds: 'Trade categories',
    locationId: 'Nearest location',
  },
};
