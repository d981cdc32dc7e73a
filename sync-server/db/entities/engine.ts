import { defineEntity, p } from '@mikro-orm/core';
import { json } from './json.ts';

/*
 * What keeps the synced tables and their devices in step, and the shared collections. Rules S1-S5:
 * shared/protocol/SPEC.md.
 */

const SyncChangeEntity = defineEntity({
  name: 'SyncChange',
  tableName: 'sync_change',
  rowLevelSecurity: true,
  indexes: [
    {
      name: 'sync_change_audience',
      expression: 'create index sync_change_audience on sync_change using gin (audience) with (fastupdate = off)',
    },
    { name: 'sync_change_version', properties: 'version' },
    { name: 'sync_change_shelf', properties: ['shelf', 'shelfVersion'], where: 'shelf_version is not null' },
    { name: 'sync_change_tombstones', properties: 'changedAt', where: 'deleted' },
    {
      name: 'sync_change_region',
      properties: ['shelf', 'shelfRegion', 'shelfVersion'],
      where: 'shelf_region is not null',
    },
    { name: 'sync_change_left', properties: ['shelf', 'shelfVersion'], where: 'shelf_left is not null' },
  ],
  properties: {
    entity: p.text().primary(),
    entityId: p.text().collation('C').primary(),
    audience: p.array().columnType('uuid[]'),
    shelf: p.text().nullable(),
    version: p.bigint('string'),
    deleted: p.boolean(),
    changedAt: p.datetime(),
    shelfVersion: p.bigint('string').nullable(),
    shelfRegion: p.text().nullable(),
    shelfLeft: p.array().columnType('text[]').nullable(),
  },
});

const SyncAccessEntity = defineEntity({
  name: 'SyncAccess',
  tableName: 'sync_access',
  rowLevelSecurity: true,
  indexes: [
    { name: 'sync_access_person', properties: ['person', 'version'] },
    { name: 'sync_access_version', properties: 'version' },
  ],
  properties: {
    entity: p.text().primary(),
    entityId: p.text().collation('C').primary(),
    person: p.uuid().primary(),
    version: p.bigint('string'),
  },
});

const SyncMutationEntity = defineEntity({
  name: 'SyncMutation',
  tableName: 'sync_mutation',
  rowLevelSecurity: true,
  indexes: [{ name: 'sync_mutation_at', properties: 'at' }],
  properties: {
    userId: p.uuid().primary(),
    uid: p.uuid().primary(),
    name: p.text(),
    argsHash: p.text(),
    status: p.enum(['claimed', 'applied', 'refused', 'parked']),
    outcome: json<{ readonly status: string; readonly code?: string }>().nullable(),
    at: p.datetime(),
  },
});

const SyncAttemptEntity = defineEntity({
  name: 'SyncAttempt',
  tableName: 'sync_attempt',
  rowLevelSecurity: true,
  properties: {
    userId: p.uuid().primary(),
    uid: p.uuid().primary(),
    attempts: p.integer(),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
    lastError: p.text(),
  },
});

const DeadLetterEntity = defineEntity({
  name: 'SyncParked',
  tableName: 'sync_parked',
  rowLevelSecurity: true,
  properties: {
    userId: p.uuid().primary(),
    uid: p.uuid().primary(),
    name: p.text(),
    /** The args as text; JSON's null once it was discarded. */
    args: json<string | null>(),
    error: p.text(),
    parkedAt: p.datetime(),
    replayedAt: p.datetime().nullable(),
    discardedAt: p.datetime().nullable(),
  },
});

const SyncMetaEntity = defineEntity({
  name: 'SyncMeta',
  tableName: 'sync_meta',
  rowLevelSecurity: true,
  properties: {
    onlyRow: p.boolean().primary().default(true).check('only_row'),
    lineage: p.uuid().defaultRaw('gen_random_uuid()'),
    tombstoneFloor: p.bigint('string').defaultRaw('0'),
    triggersHash: p.text().nullable(),
    /** Which database this was when a server last started on it. */
    life: p.text().nullable(),
    /** Cookies are signed with it. */
    cookieKey: p.uuid().defaultRaw('gen_random_uuid()'),
    /** Up to which version a later timeline of this database answered; null where none is known. */
    laterVersion: p.bigint('string').nullable(),
  },
});

/** A timeline that began with a restore, and up to which version it has the previous one. */
const SyncTimelineEntity = defineEntity({
  name: 'SyncTimeline',
  tableName: 'sync_timeline',
  rowLevelSecurity: true,
  properties: {
    lineage: p.uuid().primary(),
    previous: p.uuid(),
    point: p.bigint('string'),
    first: p.bigint('string'),
    beganAt: p.datetime(),
  },
});

/** What devices sent again after a restore, and what became of it. */
const SyncSentAgainEntity = defineEntity({
  name: 'SyncSentAgain',
  tableName: 'sync_sent_again',
  rowLevelSecurity: true,
  indexes: [{ name: 'sync_sent_again_last_at', properties: 'lastAt' }],
  properties: {
    userId: p.uuid().primary(),
    uid: p.uuid().primary(),
    name: p.text(),
    /** Where it was applied before; no version where it was not. */
    timeline: p.text(),
    version: p.bigint('string').nullable(),
    became: p.text(),
    device: p.text().nullable(),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
  },
});

/** What outlives the loss of the database, and what is watched until it does. */
const SyncSafeEntity = defineEntity({
  name: 'SyncSafe',
  tableName: 'sync_safe',
  rowLevelSecurity: true,
  properties: {
    state: p.text().primary().check("state in ('safe', 'next')"),
    by: p.text(),
    timeline: p.uuid(),
    version: p.bigint('string'),
    position: p.text().nullable(),
    at: p.datetime(),
  },
});

const SyncDeviceEntity = defineEntity({
  name: 'SyncDevice',
  tableName: 'sync_device',
  rowLevelSecurity: true,
  indexes: [{ name: 'sync_device_last_at', properties: 'lastAt' }],
  properties: {
    userId: p.uuid().primary(),
    device: p.text().primary(),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
    exchanges: p.bigint('string'),
    protocol: p.integer(),
    schema: p.integer(),
    version: p.bigint('string').nullable(),
    view: p.text().nullable(),
    sent: p.integer(),
    resetReason: p.text().nullable(),
    resetAt: p.datetime().nullable(),
  },
});

/** A segment never changes once written. */
const SegmentEntity = defineEntity({
  name: 'ShelfSegment',
  tableName: 'shelf_segment',
  rowLevelSecurity: true,
  indexes: [
    {
      name: 'shelf_segment_unreferenced_at',
      properties: 'unreferencedAt',
      where: 'unreferenced_at is not null',
    },
  ],
  properties: {
    hash: p.text().primary().check("hash ~ '^[0-9a-f]{64}$'"),
    shelf: p.text(),
    rows: p.integer(),
    bytes: p.integer(),
    bodyBr: p.blob(),
    bodyGzip: p.blob(),
    sealedAt: p.datetime(),
    /** The instant since which no manifest names it; null while one does. */
    unreferencedAt: p.datetime().nullable(),
  },
});

/** Which segments a collection has now. */
const ManifestEntity = defineEntity({
  name: 'ShelfManifest',
  tableName: 'shelf_manifest',
  rowLevelSecurity: true,
  properties: {
    shelf: p.text().primary(),
    version: p.bigint('string'),
    shape: p.text(),
    segments: json<object[]>(),
    sealedAt: p.datetime().nullable(),
    lease: p.uuid().nullable(),
    leaseUntil: p.datetime().nullable(),
  },
});

export const engineEntities = {
  SyncChangeEntity,
  SyncAccessEntity,
  SyncMutationEntity,
  SyncAttemptEntity,
  DeadLetterEntity,
  SyncMetaEntity,
  SyncTimelineEntity,
  SyncSentAgainEntity,
  SyncSafeEntity,
  SyncDeviceEntity,
  SegmentEntity,
  ManifestEntity,
} as const;
