import type { Context } from 'koa';
import { sql as rawSql } from 'kysely';
import { day, minute, second } from '../../../shared/lib/durations.ts';
import type { Sql } from '../../db/database.ts';
import { embedded } from '../embedded-tables.ts';
import type { EmbeddedSql, SessionRow, UserRow } from '../embedded-tables.ts';
import type { ProvenAccount } from './account-proof.ts';
import type { AuthParts } from './auth-parts.ts';
import { deviceName } from './device-name.ts';
import { mailToken } from './mail-link.ts';
import { addUser, findUser } from './users.ts';

/** As long as devices keep what a restore may have lost. */
const restorableMs = 30 * day;
const skewMs = minute;

/**
 * Makes an account again that a restored database does not know, under its id, where the device that renews its session
 * proves that it was there: what its person made can then come back as well. It has no password, so its person is
 * mailed a link to choose one.
 *
 * Only an account of a time that a restore has lost: one made after every account that the database has from before. An
 * account that was removed earlier stays removed. Other sessions of the person are not made again: they sign in.
 *
 * @returns the account and a new session, or undefined where this device proves nothing of the kind.
 */
export async function restoreAccount(
  parts: AuthParts,
  ctx: Context,
  refreshToken: string,
): Promise<{ user: UserRow; session: SessionRow } | undefined> {
  const proven = await parts.accountProofs.find(ctx, refreshToken);
  if (proven === undefined) return undefined;
  const restored = await parts.database.transaction(async (sql) => {
    if (!(await isOfLostTime(sql, proven, parts.clock()))) return undefined;
    const tables = embedded(sql);
    const { id, email } = proven;
    const made = await addUser(tables, { id, email, passwordHash: null, metadata: {}, now: parts.clock() });
    const user = made ?? (await findUnanswered(tables, id));
    if (user === undefined) return undefined;
    const session = await parts.sessions.start(tables, id, 'restored', deviceName(ctx.get('User-Agent')));
    return { user, session, isNew: made !== undefined };
  });
  if (restored?.isNew === true) {
    parts.log.warn({ userId: proven.id }, 'a device brought back an account that the restored database did not know');
    await mailPasswordLink(parts, restored.user, ctx);
  }
  return restored;
}

/**
 * The account that was made again, for a device that lost the answer: until then its session is unused, and ends here.
 */
async function findUnanswered(tables: EmbeddedSql, id: string): Promise<UserRow | undefined> {
  const user = await findUser(tables, id);
  if (user?.password_hash !== null) return undefined;
  const unused = tables.deleteFrom('sessions').where('user_id', '=', id).where('used_at', 'is', null);
  return (await unused.returning('id').execute()).length > 0 ? user : undefined;
}

/**
 * Was it made before a timeline began by a restore, and after every account that this database has from before that?
 * Accounts have the server's time and timelines the database's, so what lies within `skewMs` of the beginning decides
 * nothing.
 */
async function isOfLostTime(sql: Sql, { createdAt }: ProvenAccount, now: Date): Promise<boolean> {
  const { rows } = await rawSql`
    select from sync_timeline where began_at > ${new Date(now.getTime() - restorableMs)}
      and began_at > ${new Date(createdAt.getTime() - skewMs)} and not exists (
        select from embedded.users where created_at >= ${createdAt}
          and created_at < began_at - make_interval(secs => ${skewMs / second})
      ) limit 1`.execute(sql);
  return rows.length > 0;
}

async function mailPasswordLink(parts: AuthParts, user: UserRow, ctx: Context): Promise<void> {
  try {
    // This mail is not counted with those that any person may ask for: it would be withheld where one of them was.
    await mailToken(parts, user, 'restored', ctx);
  } catch (cause) {
    // The session is the person's either way, and 'Forgot password?' mails the link again.
    parts.log.error({ err: cause, userId: user.id }, 'the mail about a restored account could not be sent');
  }
}
