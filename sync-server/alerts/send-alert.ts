import { createHash } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Doers } from '../effects/run-effects.ts';
import type { SendPush } from '../push/send-push.ts';
import { findSubscription, forgetSubscription } from '../push/subscriptions.ts';

/** 32 characters of base64url at most (RFC 8030, section 5.4): a message sent again after a lost answer replaces itself, and no other. */
const topicOf = (key: string) => createHash('sha256').update(key).digest('base64url').slice(0, 32);

/** Sends one message to one phone. What a phone has said it no longer wants, and a phone that another person uses now, gets none. */
export function createSendAlert({ database, send }: { database: Database; send: SendPush }): Doers['push.send'] {
  return async ({ subscriptionId, userId, text, ttl }, key) => {
    const subscription = await findSubscription(database.sql, subscriptionId);
    if (subscription === undefined || subscription.user_id !== userId) return;
    const outcome = await send(subscription, { text, ttl, topic: topicOf(key) });
    if (outcome === 'gone') await forgetSubscription(database.sql, subscriptionId);
  };
}
