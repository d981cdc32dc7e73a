import type { Sql } from '../db/database.ts';
import type { PushTarget } from './send-push.ts';

export interface Subscription extends PushTarget {
  id: string;
}

/** Phones and computers of one person that are told; the oldest leave where there are more. */
const maxPerPerson = 10;

const columns = ['id', 'endpoint', 'p256dh', 'auth'] as const;

/** A browser subscribed, or did so again. One that another person used before is this person's alone from now on. */
export async function saveSubscription(sql: Sql, userId: string, target: PushTarget, now: Date): Promise<void> {
  await sql
    .insertInto('push_subscription')
    .values({ user_id: userId, ...target, created_at: now })
    .onConflict((conflict) =>
      conflict
        .column('endpoint')
        .doUpdateSet({ user_id: userId, p256dh: target.p256dh, auth: target.auth, created_at: now }),
    )
    .execute();
  await sql
    .deleteFrom('push_subscription')
    .where('user_id', '=', userId)
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('push_subscription')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .limit(maxPerPerson),
    )
    .execute();
}

/** This person's browser is told no more. One of another person stays. */
export async function endSubscription(sql: Sql, userId: string, endpoint: string): Promise<void> {
  await sql.deleteFrom('push_subscription').where('user_id', '=', userId).where('endpoint', '=', endpoint).execute();
}

export function listSubscriptions(sql: Sql, userId: string): Promise<Subscription[]> {
  return sql.selectFrom('push_subscription').select(columns).where('user_id', '=', userId).orderBy('id').execute();
}

/** Finds a subscription and whom it belongs to; undefined where the browser has ended it meanwhile. */
export function findSubscription(sql: Sql, id: string): Promise<(Subscription & { user_id: string }) | undefined> {
  return sql
    .selectFrom('push_subscription')
    .select([...columns, 'user_id'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The push service says that the browser has unsubscribed. */
export async function deleteSubscription(sql: Sql, id: string): Promise<void> {
  await sql.deleteFrom('push_subscription').where('id', '=', id).execute();
}
