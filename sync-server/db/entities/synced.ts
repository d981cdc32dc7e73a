import { defineEntity, p } from '@mikro-orm/core';

/* The synced tables. Their columns: shared/tables. */

export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  rowLevelSecurity: true,
  // A list keeps the key from taking the property's mode, which is deferrable.
  uniques: [{ properties: ['tradie'] }],
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    firstName: p.text(),
    lastName: p.text(),
    // The two point at each other. Immediate: a check at COMMIT would wait for rows while it holds the commit lock.
    tradie: () => p.manyToOne(TradieEntity).nullable().deferMode('immediate').deleteRule('no action'),
    subscriptionStatus: p.text().nullable(),
    subscriptionValidUntil: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

const TradieEntity = defineEntity({
  name: 'Tradie',
  tableName: 'tradies',
  rowLevelSecurity: true,
  indexes: [
    { name: 'tradies_created_at', properties: ['createdAt', 'id'] },
    { name: 'tradies_nzbn', properties: 'nzbn' },
  ],
  properties: {
    id: p.uuid().primary(),
    user: () => p.oneToOne(UserEntity).owner(),
    businessName: p.text(),
    nzbn: p.text(),
    isVerified: p.boolean(),
    logo: p.text(),
    description: p.text(),
    categoryIds: p.array(),
    contactPersonFirstName: p.text(),
    contactPersonLastName: p.text(),
    businessAddress: p.text(),
    email: p.text(),
    contactPhone: p.text().nullable(),
    locationId: p.text().nullable(),
    createdAt: p.datetime(),
  },
});

const JobEntity = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  rowLevelSecurity: true,
  indexes: [
    { name: 'jobs_user_id', properties: ['user', 'createdAt'] },
    { name: 'jobs_status', properties: ['status', 'createdAt', 'id'] },
    { name: 'jobs_open_in_town', properties: ['locationId', 'createdAt', 'id'], where: "status = 'active'" },
  ],
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(UserEntity),
    title: p.text(),
    description: p.text(),
    locationId: p.text().nullable(),
    // The driver hands it out as text.
    budgetMin: p.decimal('string').precision(12).scale(2).nullable().check('budget_min >= 0'),
    budgetMax: p.decimal('string').precision(12).scale(2).nullable().check('budget_max >= 0'),
    urgency: p.enum(['slow', 'soon', 'urgent']),
    categoryId: p.text(),
    status: p.enum(['active', 'closed']),
    images: p.array().check('cardinality(images) <= 5'),
    interestCount: p.integer().check('interest_count >= 0'),
    address: p.text().nullable(),
    suburb: p.text().nullable(),
    createdAt: p.datetime(),
    closedAt: p.datetime().nullable(),
  },
});

const InterestEntity = defineEntity({
  name: 'Interest',
  tableName: 'interests',
  rowLevelSecurity: true,
  uniques: [{ properties: ['job', 'tradie'] }],
  indexes: [
    { name: 'interests_tradie_id', properties: 'tradie' },
    { name: 'interests_user_id', properties: 'user' },
    { name: 'interests_owner_id', properties: 'owner' },
  ],
  properties: {
    id: p.uuid().primary(),
    job: () => p.manyToOne(JobEntity),
    tradie: () => p.manyToOne(TradieEntity),
    user: () => p.manyToOne(UserEntity),
    owner: () => p.manyToOne(UserEntity),
    note: p.text(),
    contactedAt: p.datetime().nullable(),
    ownerNote: p.text().nullable(),
    seenAt: p.datetime().nullable(),
    isSeen: p.boolean(),
    createdAt: p.datetime(),
  },
});

const MarkEntity = defineEntity({
  name: 'Mark',
  tableName: 'marks',
  rowLevelSecurity: true,
  uniques: [{ properties: ['user', 'job'] }],
  indexes: [{ name: 'marks_job_id', properties: 'job' }],
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(UserEntity),
    job: () => p.manyToOne(JobEntity).deleteRule('cascade'),
    title: p.text(),
    hiddenAt: p.datetime().nullable(),
    shortlistedAt: p.datetime().nullable(),
    remindAt: p.datetime().nullable(),
  },
});

const SearchEntity = defineEntity({
  name: 'Search',
  tableName: 'searches',
  rowLevelSecurity: true,
  indexes: [{ name: 'searches_user_id', properties: 'user' }],
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(UserEntity),
    name: p.text(),
    categoryIds: p.array(),
    region: p.text().nullable(),
    locationId: p.text().nullable(),
    withinKm: p.integer().nullable(),
    maxBudget: p.integer().nullable(),
    urgencies: p.array<'slow' | 'soon' | 'urgent'>(),
    words: p.text(),
    lookedUntil: p.datetime().nullable(),
    createdAt: p.datetime(),
    removedAt: p.datetime().nullable(),
  },
});

const PreferencesEntity = defineEntity({
  name: 'Preferences',
  tableName: 'preferences',
  rowLevelSecurity: true,
  properties: {
    // The person's own.
    id: p.uuid().primary(),
    user: () => p.oneToOne(UserEntity).owner(),
    tellsSeen: p.boolean(),
    preparedNotes: p.array(),
    searchOrder: p.array(),
    pushInterests: p.boolean(),
    pushJobs: p.boolean(),
    mailJobs: p.enum(['off', 'daily', 'now']),
    quietFrom: p.integer(),
    quietTo: p.integer(),
    alertsPerDay: p.integer(),
  },
});

const ReferenceEntity = defineEntity({
  name: 'Reference',
  tableName: 'reference',
  rowLevelSecurity: true,
  properties: {
    id: p.text().primary(),
    kind: p.enum(['category', 'location']),
    name: p.text(),
    region: p.text().nullable(),
    latitude: p.float().columnType('double precision').nullable(),
    longitude: p.float().columnType('double precision').nullable(),
    isApproximate: p.boolean().nullable(),
    createdAt: p.datetime(),
  },
});

export const syncedEntities = {
  UserEntity,
  TradieEntity,
  JobEntity,
  InterestEntity,
  MarkEntity,
  SearchEntity,
  PreferencesEntity,
  ReferenceEntity,
} as const;
