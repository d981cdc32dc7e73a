import { randomBytes, randomUUID } from 'node:crypto';
import { day, minute } from '../../../shared/lib/durations.ts';
import type { Database } from '../../db/database.ts';
import { embedded } from '../embedded-tables.ts';
import type { EmbeddedSql, SessionRow } from '../embedded-tables.ts';
import { AuthProblem } from './auth-problem.ts';
import { isAuthentic, readRefreshToken } from './refresh-token.ts';

/** Which of a person's sessions: all, the one at hand, or all but it. */
export type SignOutScope = 'global' | 'local' | 'others';

export interface Sessions {
  /** `device`: what the person will know it by. */
  start(tables: EmbeddedSql, userId: string, method: SessionRow['method'], device: string): Promise<SessionRow>;
  /**
   * @throws AuthProblem 400 `refresh_token_not_found`, `session_expired`, or `refresh_token_already_used` (which has
   * ended the session).
   */
  refresh(token: string): Promise<SessionRow>;
  end(tables: EmbeddedSql, userId: string, sessionId: string, scope: SignOutScope): Promise<void>;
  /** Ends one of the person's sessions. False where they have no such one. */
  endOne(userId: string, sessionId: string): Promise<boolean>;
  /** The person's sessions that have not ended, the last used first. */
  list(userId: string): Promise<SessionRow[]>;
  /** Is this still a session of this person? Notes that it was put to use. Answers may be five seconds old. */
  isLive(sessionId: string, userId: string): Promise<boolean>;
  /** The same, asked of the database itself. */
  findLive(sessionId: string, userId: string): Promise<SessionRow | undefined>;
}

const notFound = () =>
  new AuthProblem(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');
const expired = () => new AuthProblem(400, 'session_expired', 'Invalid Refresh Token: Session Expired');
const alreadyUsed = () => new AuthProblem(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');

/** A client that lost the reply may ask for it again within this time. */
const reuseMs = 10_000;
/** A session ends this long after it was last used, and this long after the person signed in, whatever they do. */
export const idleMs = 60 * day;
export const absoluteMs = 365 * day;
/** How exactly the last use is written down. */
const lastUseMs = 10 * minute;
const isLiveCacheMs = 5000;
const maxCached = 10_000;

export function createSessions({ database, clock }: { database: Database; clock: () => Date }): Sessions {
  const seenLive = new Map<string, number>();
  const seenAs = (sessionId: string, userId: string) => `${sessionId} ${userId}`;
  const hasEnded = ({ created_at: created, last_used_at: used }: SessionRow) => {
    const now = clock().getTime();
    return now - used.getTime() >= idleMs || now - created.getTime() >= absoluteMs;
  };

  async function start(
    tables: EmbeddedSql,
    userId: string,
    method: SessionRow['method'],
    device: string,
  ): Promise<SessionRow> {
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
      last_used_at: now,
      device,
    };
    await tables.insertInto('sessions').values(session).execute();
    return session;
  }

  /**
   * The current token advances the session by one step. The one before it, or any within `reuseMs` of the last step,
   * gets the current token again: that is a client whose answer was lost, or a second tab. Anything older has been
   * copied, and ends the session.
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
    // A count ahead of ours is genuine too (its MAC is valid): the database was restored from a backup.
    const next = { refresh_count: count + 1, refreshed_at: now, used_at: session.used_at ?? now, last_used_at: now };
    await tables.updateTable('sessions').set(next).where('id', '=', session.id).execute();
    return { ...session, ...next };
  }

  async function refresh(token: string): Promise<SessionRow> {
    const claim = readRefreshToken(token);
    if (!claim) throw notFound();
    const session = await database.transaction(async (sql) => {
      const tables = embedded(sql);
      // The row lock makes refreshes of one session follow one another.
      const kept = await tables
        .selectFrom('sessions')
        .selectAll()
        .where('id', '=', claim.sessionId)
        .forUpdate()
        .executeTakeFirst();
      if (!kept || !isAuthentic(token, kept.refresh_secret)) return 'unknown';
      if (hasEnded(kept)) {
        await tables.deleteFrom('sessions').where('id', '=', kept.id).execute();
        return 'expired';
      }
      return step(tables, claim.count, kept);
    });
    if (session === 'unknown') throw notFound();
    if (session === 'expired') throw expired();
    if (session === 'reused') {
      seenLive.clear();
      throw alreadyUsed();
    }
    return session;
  }

  async function end(tables: EmbeddedSql, userId: string, sessionId: string, scope: SignOutScope): Promise<void> {
    let query = tables.deleteFrom('sessions').where('user_id', '=', userId);
    if (scope === 'local') query = query.where('id', '=', sessionId);
    if (scope === 'others') query = query.where('id', '<>', sessionId);
    for (const { id } of await query.returning('id').execute()) seenLive.delete(seenAs(id, userId));
  }

  async function endOne(userId: string, sessionId: string): Promise<boolean> {
    const own = embedded(database.sql).deleteFrom('sessions').where('user_id', '=', userId);
    const ended = await own.where('id', '=', sessionId).returning('id').execute();
    seenLive.delete(seenAs(sessionId, userId));
    return ended.length > 0;
  }

  async function list(userId: string): Promise<SessionRow[]> {
    const all = await embedded(database.sql)
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .orderBy('last_used_at', 'desc')
      .orderBy('id')
      .execute();
    return all.filter((session) => !hasEnded(session));
  }

  async function findLive(sessionId: string, userId: string): Promise<SessionRow | undefined> {
    const tables = embedded(database.sql);
    const session = await tables
      .selectFrom('sessions')
      .selectAll()
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (session === undefined || hasEnded(session)) return undefined;
    const now = clock();
    if (session.used_at === null || now.getTime() - session.last_used_at.getTime() >= lastUseMs) {
      await tables
        .updateTable('sessions')
        .set({ used_at: session.used_at ?? now, last_used_at: now })
        .where('id', '=', sessionId)
        .execute();
    }
    return session;
  }

  async function isLive(sessionId: string, userId: string): Promise<boolean> {
    const now = clock().getTime();
    const as = seenAs(sessionId, userId);
    const seen = seenLive.get(as);
    if (seen !== undefined && now - seen < isLiveCacheMs && now >= seen) return true;
    if ((await findLive(sessionId, userId)) === undefined) {
      seenLive.delete(as);
      return false;
    }
    if (seenLive.size >= maxCached) seenLive.clear();
    seenLive.set(as, now);
    return true;
  }

  return { start, refresh, end, endOne, list, isLive, findLive };
}
