import { defineEntity, p } from '@mikro-orm/core';
import { json } from './json.ts';
import { UserEntity } from './synced.ts';

/* What follows a mutation, and what the operator needs. */

/** What is to follow a committed mutation (mail …): recorded in its transaction, done after it, with retry. */
const EffectEntity = defineEntity({
  name: 'Effect',
  tableName: 'effect',
  rowLevelSecurity: true,
  indexes: [
    { name: 'effect_due', properties: 'dueAt', where: 'done_at is null' },
    { name: 'effect_done_at', properties: 'doneAt', where: 'done_at is not null' },
  ],
  properties: {
    id: p.bigint('string').primary().autoincrement().generated('identity'),
    mutationUid: p.uuid().nullable(),
    userId: p.uuid().nullable(),
    name: p.text(),
    payload: json<object>(),
    at: p.datetime(),
    dueAt: p.datetime(),
    attempts: p.integer().default(0),
    lastError: p.text().nullable(),
    doneAt: p.datetime().nullable(),
    /** What happens once carries a name that is there once. */
    key: p.text().nullable().unique(),
  },
});

/** Which mails a person wants. The holder of the token, which stands in the mails' links, may say "no more". */
const MailPreferenceEntity = defineEntity({
  name: 'MailPreference',
  tableName: 'mail_preference',
  rowLevelSecurity: true,
  properties: {
    user: () => p.manyToOne(UserEntity).primary().updateRule('no action').deleteRule('no action'),
    token: p.uuid().unique().defaultRaw('gen_random_uuid()'),
    wantsInterestMails: p.boolean().default(true),
    changedAt: p.datetime(),
  },
});

/** Who read whose contact details, by day; never the details themselves. */
const ContactReadEntity = defineEntity({
  name: 'ContactRead',
  tableName: 'contact_read',
  rowLevelSecurity: true,
  indexes: [{ name: 'contact_read_recent', properties: ['readerId', 'lastAt'] }],
  properties: {
    readerId: p.uuid().primary(),
    tradieId: p.uuid().primary(),
    day: p.date().primary(),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
    reads: p.integer(),
  },
});

/** Who did what to what. Never what was in it. */
const AdminAuditEntity = defineEntity({
  name: 'AdminAudit',
  tableName: 'admin_audit',
  rowLevelSecurity: true,
  indexes: [{ name: 'admin_audit_at', properties: 'at' }],
  properties: {
    id: p.bigint('string').primary().autoincrement().generated('identity'),
    at: p.datetime(),
    action: p.text(),
    userId: p.uuid().nullable(),
    uid: p.uuid().nullable(),
    requestId: p.text(),
    result: p.text(),
  },
});

const RetentionRunEntity = defineEntity({
  name: 'RetentionRun',
  tableName: 'retention_run',
  rowLevelSecurity: true,
  properties: { job: p.text().primary(), finishedAt: p.datetime(), removed: p.bigint('string') },
});

/** Counters that all instances share. The table is unlogged. */
const RateLimitEntity = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limit',
  rowLevelSecurity: true,
  properties: { key: p.text().primary(), fullAt: p.datetime() },
});

export const operatingEntities = {
  EffectEntity,
  MailPreferenceEntity,
  ContactReadEntity,
  AdminAuditEntity,
  RetentionRunEntity,
  RateLimitEntity,
} as const;
