import type { Sql } from '../../db/database.ts';
import type { Log } from '../../lib/log.ts';

export interface AuditLine {
  /** The operation, e.g. `parked.replay`. */
  action: string;
  /** Whose data it was about. */
  userId?: string | undefined;
  /** Of the mutation it was about. */
  uid?: string | undefined;
  requestId: string;
  /** The result: `done`, or the code of why not. */
  result: string;
}

/** Records what an operator did, in a table and in the log. Ids and codes only. */
export async function audit(sql: Sql, log: Pick<Log, 'info'>, now: Date, line: AuditLine): Promise<void> {
  const { action, userId = null, uid = null, requestId, result } = line;
  log.info({ audit: action, userId, uid, requestId, result }, 'an operator acted');
  await sql
    .insertInto('admin_audit')
    .values({ at: now, action, user_id: userId, uid, request_id: requestId, result })
    .execute();
}
