import { defineEntity, p } from '@mikro-orm/core';
import type { JWK } from 'jose';
import { json } from './json.ts';

/* The embedded services, in a SQL schema of their own so that hosted mode can drop it whole. */

const SigningKeyEntity = defineEntity({
  name: 'SigningKey',
  tableName: 'embedded.signing_keys',
  properties: { kid: p.text().primary(), privateJwk: json<JWK>(), createdAt: p.datetime() },
});

/** An account is there once its address is confirmed. */
const AccountEntity = defineEntity({
  name: 'Account',
  tableName: 'embedded.users',
  properties: {
    id: p.uuid().primary(),
    /** The address as `normalAddress` writes it. */
    email: p.text().unique().check('email = lower(email)'),
    /** Null while none was chosen: the address was signed up with more than one, and none of those counts. */
    passwordHash: p.text().nullable(),
    /** The person themselves writes it: never a source of rights. */
    userMetadata: json<Record<string, unknown>>(),
    identityId: p.uuid(),
    emailConfirmedAt: p.datetime().nullable(),
    confirmationSentAt: p.datetime().nullable(),
    recoverySentAt: p.datetime().nullable(),
    lastSignInAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});

const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'embedded.sessions',
  indexes: [
    { name: 'sessions_user_id', properties: 'user' },
    { name: 'sessions_last_used_at', properties: 'lastUsedAt' },
  ],
  properties: {
    id: p.uuid().primary(),
    user: () => p.manyToOne(AccountEntity).deleteRule('cascade'),
    /** Key of the refresh tokens of this session alone. */
    refreshSecret: p.text(),
    refreshCount: p.integer(),
    method: p.enum(['password', 'otp', 'restored']),
    createdAt: p.datetime(),
    refreshedAt: p.datetime(),
    /** When the session was first put to use after it was handed out. */
    usedAt: p.datetime().nullable(),
    /** Browser and system in words; '' where the browser did not say. */
    device: p.text().default(''),
    /** The last use, to the minute: more frequent use is not recorded each time. */
    lastUsedAt: p.datetime(),
  },
});

/** A person who gave an address and a password; the account exists once the mailed link is opened. */
const SignUpEntity = defineEntity({
  name: 'SignUp',
  tableName: 'embedded.sign_ups',
  indexes: [
    { name: 'sign_ups_email', properties: 'email' },
    { name: 'sign_ups_expires_at', properties: 'expiresAt' },
  ],
  properties: {
    tokenHash: p.text().primary(),
    otpHash: p.text(),
    email: p.text(),
    /**
     * Null where another password was submitted for the address as well (then none of them counts), and where it
     * `isLost`.
     */
    passwordHash: p.text().nullable(),
    userMetadata: json<Record<string, unknown>>(),
    /** It stands for one that a restore has lost, with its password. */
    isLost: p.boolean().default(false),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    openedBy: p.text().nullable(),
    sessionId: p.uuid().nullable(),
  },
});

const OneTimeTokenEntity = defineEntity({
  name: 'OneTimeToken',
  tableName: 'embedded.one_time_tokens',
  indexes: [
    { name: 'one_time_tokens_user_id', properties: 'user' },
    { name: 'one_time_tokens_expires_at', properties: 'expiresAt' },
  ],
  properties: {
    tokenHash: p.text().primary(),
    otpHash: p.text(),
    user: () => p.manyToOne(AccountEntity).deleteRule('cascade'),
    type: p.enum(['recovery', 'reauthentication']),
    expiresAt: p.datetime(),
    openedBy: p.text().nullable(),
    sessionId: p.uuid().nullable(),
  },
});

const AuthRateLimitEntity = defineEntity({
  name: 'AuthRateLimit',
  tableName: 'embedded.rate_limits',
  indexes: [{ name: 'rate_limits_full_at', properties: 'fullAt' }],
  properties: { key: p.text().primary(), fullAt: p.datetime() },
});

const MailEntity = defineEntity({
  name: 'Mail',
  tableName: 'embedded.mails',
  properties: {
    id: p.bigint('string').primary().autoincrement().generated('identity'),
    recipient: p.text(),
    subject: p.text(),
    text: p.text(),
    html: p.text(),
    links: json<string[]>(),
    at: p.datetime(),
  },
});

const StoredObjectEntity = defineEntity({
  name: 'StoredObject',
  tableName: 'embedded.objects',
  uniques: [
    { properties: ['bucketId', 'name'] },
    {
      name: 'objects_former_name',
      properties: ['bucketId', 'formerName'],
      where: 'former_name is not null',
    },
  ],
  indexes: [{ name: 'objects_owner_id', properties: 'ownerId' }],
  properties: {
    id: p.uuid().primary(),
    bucketId: p.text(),
    name: p.text().collation('C'),
    ownerId: p.uuid().nullable(),
    /** Names the file on disk; every overwrite has its own. */
    version: p.uuid().unique(),
    size: p.integer(),
    mimeType: p.text(),
    cacheControl: p.text(),
    /** md5 of the bytes, hex, as S3 and the hosted service have it. */
    md5: p.text(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** What an earlier version called it. */
    formerName: p.text().collation('C').nullable(),
  },
});

const PaymentObjectEntity = defineEntity({
  name: 'PaymentObject',
  tableName: 'embedded.payment_objects',
  indexes: [
    { name: 'payment_objects_kind', properties: ['kind', 'position'] },
    { name: 'payment_objects_customer_id', properties: ['customerId', 'kind'] },
    { name: 'payment_objects_due_at', properties: 'dueAt', where: 'due_at is not null' },
  ],
  properties: {
    id: p.text().primary(),
    kind: p.text(),
    position: p.bigint('string').autoincrement().generated('identity'),
    customerId: p.text().nullable(),
    /** When something happens to it by itself: a trial ends, a month is due, a checkout expires. */
    dueAt: p.datetime().nullable(),
    body: json<object>(),
    /** What belongs to it and is never shown: the terms of a checkout. */
    hidden: json<object>().nullable(),
  },
});

const PaymentRequestEntity = defineEntity({
  name: 'PaymentRequest',
  tableName: 'embedded.payment_requests',
  properties: {
    key: p.text().primary(),
    digest: p.text(),
    status: p.integer(),
    body: p.text(),
    at: p.datetime(),
  },
});

const PaymentEventEntity = defineEntity({
  name: 'PaymentEvent',
  tableName: 'embedded.payment_events',
  indexes: [{ name: 'payment_events_due_at', properties: 'dueAt', where: 'delivered_at is null' }],
  properties: {
    id: p.text().primary(),
    position: p.bigint('string').autoincrement().generated('identity'),
    /** The body is text: it is delivered, and signed, as it stands here. */
    body: p.text(),
    attempts: p.integer(),
    dueAt: p.datetime(),
    deliveredAt: p.datetime().nullable(),
  },
});

export const embeddedEntities = {
  SigningKeyEntity,
  AccountEntity,
  SessionEntity,
  SignUpEntity,
  OneTimeTokenEntity,
  AuthRateLimitEntity,
  MailEntity,
  StoredObjectEntity,
  PaymentObjectEntity,
  PaymentRequestEntity,
  PaymentEventEntity,
} as const;
