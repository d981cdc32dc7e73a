import { expect, test } from 'vitest';
import { calls } from '../../shared/api/index.ts';
import { schemaOf } from './openapi.ts';

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
}

/** Every name in it, those of objects inside as `outer.inner`. */
function fieldsOf({ properties = {}, items, anyOf = [] }: JsonSchema): string[] {
  const inside = [...anyOf, ...(items === undefined ? [] : [items])].flatMap(fieldsOf);
  return [
    ...inside,
    ...Object.entries(properties).flatMap(([name, value]) => [
      name,
      ...fieldsOf(value).map((inner) => `${name}.${inner}`),
    ]),
  ];
}

const profile = [
  'id',
  'userId',
  'businessName',
  'nzbn',
  'logo',
  'description',
  'categories.id',
  'categories.name',
  'contactPersonFirstName',
  'contactPersonLastName',
  'businessAddress',
  'email',
  'contactPhone',
  'locationId',
];
const job = [
  'id',
  'userId',
  'title',
  'description',
  'locationId',
  'budgetMin',
  'budgetMax',
  'urgency',
  'categoryId',
  'status',
  'createdAt',
  'images',
  'interestCount',
  'address',
  'suburb',
  'location.town',
  'location.region',
];

/** The product's field names, copied by hand: nothing here comes from our own schemas. */
const answers = [
  [
    'a user',
    'users.me',
    ['id', 'email', 'firstName', 'lastName', 'isTradie', 'tradieId', 'subscriptionStatus', 'subscriptionValidUntil'],
  ],
  [
    'a tradie in the list',
    'tradies.list',
    ['id', 'businessName', 'logo', 'categories.id', 'categories.name', 'locationId'],
  ],
  ['one’s own profile', 'tradies.mine', profile],
  ['another’s profile', 'tradies.read', profile],
  ['a category', 'categories.list', ['id', 'name']],
  ['a location', 'locations.list', ['id', 'region', 'town']],
  ['a job', 'jobs.read', job],
  ['a job in the list', 'jobs.list', job],
  [
    'an interest on a job',
    'jobs.interests',
    [
      'id',
      'jobId',
      'note',
      'tradie.id',
      'tradie.userId',
      'tradie.businessName',
      'tradie.logo',
      'tradie.email',
      'tradie.contactPhone',
    ],
  ],
  ['a tradie’s own interest', 'tradies.interests', ['id', 'createdAt', 'jobId', ...job.map((field) => `job.${field}`)]],
  ['a subscription', 'billing.subscription', ['trialEnd', 'currentPeriodEnd']],
] as const;

test.each(answers)('%s is answered by %s with every field that the specification names [§3]', (_what, name, fields) => {
  const answered = fieldsOf(schemaOf(calls[name].answer, 'output'));
  expect(fields.filter((field) => !answered.includes(field))).toEqual([]);
});

const payloads = [
  [
    'an onboarding',
    'billing.checkout',
    [
      'email',
      'tradieData.nzbn',
      'tradieData.businessName',
      'tradieData.businessAddress',
      'tradieData.contactPhone',
      'tradieData.description',
      'tradieData.logo',
      'tradieData.categoryIds',
      'tradieData.locationId',
    ],
  ],
  [
    'a profile update',
    'tradies.edit',
    [
      'businessName',
      'businessAddress',
      'contactPersonFirstName',
      'contactPersonLastName',
      'contactPhone',
      'email',
      'description',
      'logo',
      'categoryIds',
      'locationId',
    ],
  ],
] as const;

test.each(payloads)('%s is taken by %s with every field that the specification names [§3]', (_what, name, fields) => {
  const taken = fieldsOf(schemaOf(calls[name].body, 'input'));
  expect(fields.filter((field) => !taken.includes(field))).toEqual([]);
});
