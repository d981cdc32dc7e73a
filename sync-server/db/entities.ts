import { defineEntity, type EntitySchema, type InferEntity, p } from '@mikro-orm/core';
import type { RowOf, TableName } from '../../shared/tables/index.ts';

/*
 * The synced tables as MikroORM sees them, one property a column of the shared row. A row travels with ISO strings where the
 * entity holds a Date; `Fits` at the end stops the build where an entity and its row drift apart.
 *
 * Ids are plain columns, not relations: a row is read and written whole, and no code follows relations.
 */

export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    firstName: p.text(),
    lastName: p.text(),
    tradieId: p.uuid().nullable(),
    subscriptionStatus: p.text().nullable(),
    subscriptionValidUntil: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

export const TradieEntity = defineEntity({
  name: 'Tradie',
  tableName: 'tradies',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
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

export const JobEntity = defineEntity({
  name: 'Job',
  tableName: 'jobs',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    title: p.text(),
    description: p.text(),
    locationId: p.text().nullable(),
    budgetMin: p.decimal('number').precision(12).scale(2).nullable(),
    budgetMax: p.decimal('number').precision(12).scale(2).nullable(),
    urgency: p.enum(['slow', 'soon', 'urgent']),
    categoryId: p.text(),
    status: p.enum(['active', 'closed']),
    images: p.array(),
    interestCount: p.integer(),
    address: p.text().nullable(),
    suburb: p.text().nullable(),
    createdAt: p.datetime(),
    closedAt: p.datetime().nullable(),
  },
});

export const InterestEntity = defineEntity({
  name: 'Interest',
  tableName: 'interests',
  properties: {
    id: p.uuid().primary(),
    jobId: p.uuid(),
    tradieId: p.uuid(),
    userId: p.uuid(),
    ownerId: p.uuid(),
    note: p.text(),
    contactedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});

export const ReferenceEntity = defineEntity({
  name: 'Reference',
  tableName: 'reference',
  properties: {
    id: p.text().primary(),
    kind: p.enum(['category', 'location']),
    name: p.text(),
    region: p.text().nullable(),
    createdAt: p.datetime(),
  },
});

/** The entity of each synced table. */
export const syncedEntities = {
  users: UserEntity,
  tradies: TradieEntity,
  jobs: JobEntity,
  interests: InterestEntity,
  reference: ReferenceEntity,
} as const;

/** Every MikroORM entity there is. */
export const entities: EntitySchema[] = Object.values(syncedEntities);

/** Columns that are null only in another person's copy: the database always has them. */
type AlwaysThere = 'userId' | 'ownerId';
type Stored<Column, Value> = Column extends `${string}At` | `${string}Until`
  ? Date | Extract<Value, null>
  : Column extends AlwaysThere
    ? NonNullable<Value>
    : Value;
type Nullish<Value> = null extends Value ? Exclude<Value, undefined> : Value;
/** Columns whose type in the entity is not the one the shared row asks for; never where the two agree. */
type Misfits<Name extends TableName, Entity = InferEntity<(typeof syncedEntities)[Name]>> =
  | {
      [Column in keyof RowOf<Name>]: Column extends keyof Entity
        ? [Nullish<Entity[Column]>, Stored<Column, RowOf<Name>[Column]>] extends [
            Stored<Column, RowOf<Name>[Column]>,
            Nullish<Entity[Column]>,
          ]
          ? never
          : Column
        : Column;
    }[keyof RowOf<Name>]
  | Exclude<keyof Entity & string, keyof RowOf<Name>>;
type Fits = { [Name in TableName]: Misfits<Name> };

/**
 * Does not compile where an entity and its shared row differ; the message names the columns.
 *
 * @public The compiler reads it.
 */
export const entitiesFitRows: { [Name in TableName]: [Fits[Name]] extends [never] ? true : Fits[Name] } = {
  users: true,
  tradies: true,
  jobs: true,
  interests: true,
  reference: true,
};
