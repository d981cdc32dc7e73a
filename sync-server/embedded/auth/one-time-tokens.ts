import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { EmbeddedSql, OneTimeTokenRow, UserRow } from '../embedded-tables.ts';
import { findUser } from './users.ts';

export type TokenType = OneTimeTokenRow['type'];

export const isTokenType = (type: string): type is TokenType => type === 'signup' || type === 'recovery';

const hour = 3_600_000;
const tokenLifeMs: Record<TokenType, number> = { signup: 24 * hour, recovery: hour };
/** A six-digit code may be mistyped this often before its mail is void. */
const wrongTriesAtMost = 5;

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const otpDigest = (userId: string, otp: string) => digest(`${userId}:${otp}`);

/** Makes the link token and the code of one mail; they replace what was mailed before for the same purpose. */
export async function makeOneTimeToken(tables: EmbeddedSql, userId: string, type: TokenType, now: Date): Promise<{ token: string; otp: string }> {
  const token = randomBytes(28).toString('hex');
  const otp = String(randomInt(1_000_000)).padStart(6, '0');
  const row = {
    token_hash: digest(token),
    otp_hash: otpDigest(userId, otp),
    wrong_tries: 0,
    expires_at: new Date(now.getTime() + tokenLifeMs[type]),
    opened_by: null,
    session_id: null,
  };
  await tables
    .insertInto('one_time_tokens')
    .values({ ...row, user_id: userId, type })
    .onConflict((conflict) => conflict.columns(['user_id', 'type']).doUpdateSet(row))
    .execute();
  return { token, otp };
}

export interface Opened {
  user: UserRow;
  row: OneTimeTokenRow;
}

/** The token of a mailed link with its user, locked, if it is of this type and has not expired. It may have been opened before. */
export async function findByToken(tables: EmbeddedSql, token: string, type: TokenType, now: Date): Promise<Opened | undefined> {
  const row = await tables
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('token_hash', '=', digest(token))
    .where('type', '=', type)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();
  const user = row && (await findUser(tables, row.user_id));
  return user && { user, row };
}

/** The unopened token with this code, locked. A wrong code is counted, and the last allowed one voids the mail. */
export async function findByOtp(tables: EmbeddedSql, user: UserRow, otp: string, type: TokenType, now: Date): Promise<Opened | undefined> {
  const mine = tables.selectFrom('one_time_tokens').selectAll().where('user_id', '=', user.id).where('type', '=', type);
  const row = await mine.where('expires_at', '>', now).where('opened_by', 'is', null).forUpdate().executeTakeFirst();
  if (!row) return undefined;
  if (timingSafeEqual(Buffer.from(row.otp_hash), Buffer.from(otpDigest(user.id, otp)))) return { user, row };
  if (row.wrong_tries + 1 >= wrongTriesAtMost) await removeToken(tables, row);
  else {
    const wrongTries = row.wrong_tries + 1;
    await tables.updateTable('one_time_tokens').set({ wrong_tries: wrongTries }).where('token_hash', '=', row.token_hash).execute();
  }
  return undefined;
}

export async function removeToken(tables: EmbeddedSql, { token_hash: hash }: OneTimeTokenRow): Promise<void> {
  await tables.deleteFrom('one_time_tokens').where('token_hash', '=', hash).execute();
}

/** Address of a machine in a form that tells two apart and says nothing. */
export const openerOf = (ip: string) => digest(`opener:${ip}`);
