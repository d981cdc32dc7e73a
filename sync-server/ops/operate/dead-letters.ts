import { sql as rawSql } from 'kysely';
import type { Sql } from '../../db/database.ts';

export interface DeadLetter {
  userId: string;
  uid: string;
  name: string;
  /** Kind and place of the last fault; never a message, which may quote people's data. */
  error: string;
  parkedAt: Date;
  replayedAt: Date | null;
  discardedAt: Date | null;
}

const columns = rawSql`user_id as "userId", uid, name, error, parked_at as "parkedAt", replayed_at as "replayedAt", discarded_at as "discardedAt"`;

/** Dead letters; those that wait for an operator first, then the newest. */
export async function listDeadLetters(
  sql: Sql,
  { userId }: { userId?: string | undefined } = {},
): Promise<DeadLetter[]> {
  const whose = userId === undefined ? rawSql`true` : rawSql`user_id = ${userId}::uuid`;
  const { rows } = await rawSql<DeadLetter>`select ${columns} from sync_parked where ${whose}
    order by (replayed_at is null and discarded_at is null) desc, parked_at desc limit 200`.execute(sql);
  return rows;
}

/** One of them, with what the person had sent. Undefined where there is no dead letter under this uid. */
export async function readDeadLetter(
  sql: Sql,
  { userId, uid }: { userId: string; uid: string },
): Promise<(DeadLetter & { args: unknown }) | undefined> {
  const { rows } = await rawSql<
    DeadLetter & { args: string | null }
  >`select ${columns}, args from sync_parked where user_id = ${userId}::uuid and uid = ${uid}::uuid`.execute(sql);
  const [found] = rows;
  return found && { ...found, args: found.args === null ? null : (JSON.parse(found.args) as unknown) };
}

/** Discards a dead letter: what the person had sent is deleted, the uid stays decided. False where no dead letter waits under this uid. */
export async function discardDeadLetter(
  sql: Sql,
  { userId, uid }: { userId: string; uid: string },
  now: Date,
): Promise<boolean> {
  const { rows } = await rawSql`update sync_parked set discarded_at = ${now}, args = 'null'::jsonb
    where user_id = ${userId}::uuid and uid = ${uid}::uuid and replayed_at is null and discarded_at is null returning uid`.execute(
    sql,
  );
  return rows.length > 0;
}
