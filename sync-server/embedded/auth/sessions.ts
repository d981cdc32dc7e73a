import { randomBytes, randomUUID } from 'node:crypto';
import type { Database } from '../../db/database.ts';
import { embedded } from '../embedded-tables.ts';
import type { EmbeddedSql, SessionRow } from '../embedded-tables.ts';
import { AuthProblem } from './auth-problem.ts';
import { isSealed, readRefreshToken } from './refresh-token.ts';

/** Which of a person's sessions: all, the one at hand, or all but it. */
export type SignOutScope = 'global' | 'local' | 'others';

export interface Sessions {
  start(tables: EmbeddedSql, userId: string, method: SessionRow['method']): Promise<SessionRow>;
  /** @throws AuthProblem 400 `refresh_token_not_found` or `refresh_token_already_used` (which has ended the session). */
  refresh(token: string): Promise<SessionRow>;
  end(tables: EmbeddedSql, userId: string, sessionId: string, scope: SignOutScope): Promise<void>;
  /** Is the session still there? Notes that it was put to use. Answers may be five seconds old. */
  isLive(sessionId: string): Promise<boolean>;
  /** Asks the database itself. */
  isLiveNow(sessionId: string): Promise<boolean>;
}

const notFound = () => new AuthProblem(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
const alreadyUsed = () => new AuthProblem(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');

/** A reply lost on the way may be asked for again within this time. */
const reuseMs = 10_000;
const isLiveCacheMs = 5000;
const cacheAtMost = 10_000;

export function createSessions({ database, clock }: { database: Database; clock: () => Date }): Sessions {
  const seenLive = new Map<string, number>();

  async function start(tables: EmbeddedSql, userId: string, method: SessionRow['method']): Promise<SessionRow> {
    const now = clock();
    const session: SessionRow = {
      id: randomUUID(),
      user_id: userId,
      refresh_secret: randomBytes(32).toString('base64url'),
      refresh_count: 0,
      method,
      created_at: now,
      refreshed_at: now,
      used_at: null,
    };
    await tables.insertInto('sessions').values(session).execute();
    return session;
  }

  /**
   * The current token turns the session one step on. The one before it, or any within `reuseMs` of the last step, gets the current
   * token again: that is a client whose answer was lost, or a second tab. Anything older has been copied, and ends the session.
   */
  async function step(tables: EmbeddedSql, count: number, session: SessionRow): Promise<SessionRow | 'reused'> {
    const now = clock();
    const isRecent = now.getTime() - session.refreshed_at.getTime() < reuseMs;
    const isParent = count === session.refresh_count - 1;
    if (count < session.refresh_count && (isParent || isRecent)) return session;
    if (count < session.refresh_count) {
      await tables.deleteFrom('sessions').where('id', '=', session.id).execute();
      return 'reused';
    }
    // A count ahead of ours is genuine too (it is sealed): the database was restored from a backup.
    const next = { refresh_count: count + 1, refreshed_at: now, used_at: session.used_at ?? now };
    await tables.updateTable('sessions').set(next).where('id', '=', session.id).execute();
    return { ...session, ...next };
  }

  async function refresh(token: string): Promise<SessionRow> {
    const claim = readRefreshToken(token);
    if (!claim) throw notFound();
    const session = await database.transaction(async (sql) => {
      const tables = embedded(sql);
      // The row lock makes refreshes of one session follow one another.
      const kept = await tables.selectFrom('sessions').selectAll().where('id', '=', claim.sessionId).forUpdate().executeTakeFirst();
      if (!kept || !isSealed(token, kept.refresh_secret)) return 'unknown';
      return step(tables, claim.count, kept);
    });
    if (session === 'unknown') throw notFound();
    if (session === 'reused') {
      seenLive.delete(claim.sessionId);
      throw alreadyUsed();
    }
    return session;
  }

  async function end(tables: EmbeddedSql, userId: string, sessionId: string, scope: SignOutScope): Promise<void> {
    let query = tables.deleteFrom('sessions').where('user_id', '=', userId);
    if (scope === 'local') query = query.where('id', '=', sessionId);
    if (scope === 'others') query = query.where('id', '<>', sessionId);
    for (const { id } of await query.returning('id').execute()) seenLive.delete(id);
  }

  async function isLiveNow(sessionId: string): Promise<boolean> {
    const tables = embedded(database.sql);
    const row = await tables.selectFrom('sessions').select('used_at').where('id', '=', sessionId).executeTakeFirst();
    if (row && row.used_at === null) await tables.updateTable('sessions').set({ used_at: clock() }).where('id', '=', sessionId).execute();
    return row !== undefined;
  }

  async function isLive(sessionId: string): Promise<boolean> {
    const now = clock().getTime();
    const seen = seenLive.get(sessionId);
    if (seen !== undefined && now - seen < isLiveCacheMs && now >= seen) return true;
    if (!(await isLiveNow(sessionId))) {
      seenLive.delete(sessionId);
      return false;
    }
    if (seenLive.size >= cacheAtMost) seenLive.clear();
    seenLive.set(sessionId, now);
    return true;
  }

  return { start, refresh, end, isLive, isLiveNow };
}
