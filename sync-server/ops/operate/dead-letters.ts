import type { Sql } from '../../db/database.ts';

export interface DeadLetter {
  userId: string;
  uid: string;
  name: string;
  /** Kind and place of the last error; never a message, which may quote people's data. */
  error: string;
  parkedAt: Date;
  replayedAt: Date | null;
  discardedAt: Date | null;
}

const columns = [
  'user_id as userId',
  'uid',
  'name',
  'error',
  'parked_at as parkedAt',
  'replayed_at as replayedAt',
  'discarded_at as discardedAt',
] as const;

/** Dead letters; those that wait for an operator first, then the newest. */
export function listDeadLetters(sql: Sql, { userId }: { userId?: string | undefined } = {}): Promise<DeadLetter[]> {
  return sql
    .selectFrom('sync_parked')
    .select(columns)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId!))
    .orderBy((eb) => eb.and([eb('replayed_at', 'is', null), eb('discarded_at', 'is', null)]), 'desc')
    .orderBy('parked_at', 'desc')
    .limit(200)
    .execute();
}

/** One of them, with what the person had sent. Undefined where there is no dead letter under this uid. */
export async function readDeadLetter(
  sql: Sql,
  { userId, uid }: { userId: string; uid: string },
): Promise<(DeadLetter & { args: unknown }) | undefined> {
  const found = await sql
    .selectFrom('sync_parked')
    .select([...columns, 'args'])
    .where('user_id', '=', userId)
    .where('uid', '=', uid)
    .executeTakeFirst();
  return found && { ...found, args: found.args === null ? null : (JSON.parse(found.args) as unknown) };
}

/**
 * Discards a dead letter: what the person had sent is deleted, the uid stays decided. False where no dead letter waits
 * under this uid.
 */
export async function discardDeadLetter(
  sql: Sql,
  { userId, uid }: { userId: string; uid: string },
  now: Date,
): Promise<boolean> {
  const discarded = await sql
    .updateTable('sync_parked')
    .set({ discarded_at: now, args: 'null' })
    .where('user_id', '=', userId)
    .where('uid', '=', uid)
    .where('replayed_at', 'is', null)
    .where('discarded_at', 'is', null)
    .returning('uid')
    .executeTakeFirst();
  return discarded !== undefined;
}
