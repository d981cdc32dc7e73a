import { defineEntity, p } from '@mikro-orm/core';
import { UserEntity } from './synced.ts';

/* What people are told on their phones and by mail. */

/** This server's key at the push services, where the environment names none. */
const VapidKeyEntity = defineEntity({
  name: 'VapidKey',
  tableName: 'vapid_key',
  rowLevelSecurity: true,
  properties: {
    onlyRow: p.boolean().primary().default(true).check('only_row'),
    publicKey: p.text(),
    privateKey: p.text(),
    createdAt: p.datetime(),
  },
});

/** One browser of a person, as it subscribed. Its address is a secret. */
const PushSubscriptionEntity = defineEntity({
  name: 'PushSubscription',
  tableName: 'push_subscription',
  rowLevelSecurity: true,
  indexes: [{ name: 'push_subscription_user', properties: 'user' }],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    user: () => p.manyToOne(UserEntity).updateRule('no action').deleteRule('no action'),
    endpoint: p.text().unique(),
    p256dh: p.text(),
    auth: p.text(),
    createdAt: p.datetime(),
  },
});

/** What a person is to be told, once. `subjectId`: the interest, or the job. */
const AlertEntity = defineEntity({
  name: 'Alert',
  tableName: 'alert',
  rowLevelSecurity: true,
  uniques: [{ name: 'alert_user_id_kind_subject_id_key', properties: ['user', 'kind', 'subjectId'] }],
  indexes: [
    {
      name: 'alert_waiting',
      properties: 'user',
      where: 'pushed_at is null and mailed_at is null and dropped_at is null',
    },
    { name: 'alert_at', properties: 'at' },
  ],
  properties: {
    id: p.uuid().primary().defaultRaw('gen_random_uuid()'),
    user: () => p.manyToOne(UserEntity).updateRule('no action').deleteRule('no action'),
    kind: p.enum(['interest', 'job']),
    subjectId: p.uuid(),
    jobId: p.uuid(),
    at: p.datetime(),
    pushedAt: p.datetime().nullable(),
    mailedAt: p.datetime().nullable(),
    droppedAt: p.datetime().nullable(),
  },
});

export const alertingEntities = { VapidKeyEntity, PushSubscriptionEntity, AlertEntity };
