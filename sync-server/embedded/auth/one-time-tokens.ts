import { createHash, randomBytes, randomInt } from 'node:crypto';
import { hour } from '../../../shared/lib/durations.ts';
import type { EmbeddedSql, OneTimeTokenRow, UserRow } from '../embedded-tables.ts';
import { findUser } from './users.ts';

export type TokenType = OneTimeTokenRow['type'];

const tokenLifeMs: Record<TokenType, number> = { recovery: hour, reauthentication: hour / 4 };

export const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const otpDigest = (userId: string, otp: string) => digest(`${userId}:${otp}`);

/**
 * Makes the link token and the code of one mail. Earlier links stay valid for their time: any client may request a
 * mail, and must not be able to void the link that its reader is about to open.
 */
export async function createOneTimeToken(
  tables: EmbeddedSql,
  userId: string,
  type: TokenType,
  now: Date,
): Promise<{ token: string; otp: string }> {
  const token = randomBytes(28).toString('hex');
  const otp = String(randomInt(1_000_000)).padStart(6, '0');
  const expiresAt = new Date(now.getTime() + tokenLifeMs[type]);
  await tables
    .insertInto('one_time_tokens')
    .values({
      token_hash: digest(token),
      otp_hash: otpDigest(userId, otp),
      user_id: userId,
      type,
      expires_at: expiresAt,
      opened_by: null,
      session_id: null,
    })
    .execute();
  return { token, otp };
}

export interface Opened {
  user: UserRow;
  row: OneTimeTokenRow;
}

/**
 * The token of a mailed link with its user, locked, if it is of this type and has not expired. It may have been opened
 * before.
 */
export async function findByToken(
  tables: EmbeddedSql,
  token: string,
  type: TokenType,
  now: Date,
): Promise<Opened | undefined> {
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

/** The unopened token with this code, locked. The rate limits bound the guesses. */
export async function findByOtp(
  tables: EmbeddedSql,
  user: UserRow,
  otp: string,
  type: TokenType,
  now: Date,
): Promise<Opened | undefined> {
  const mine = tables.selectFrom('one_time_tokens').selectAll().where('user_id', '=', user.id).where('type', '=', type);
  const unopened = mine.where('expires_at', '>', now).where('opened_by', 'is', null);
  const row = await unopened.where('otp_hash', '=', otpDigest(user.id, otp)).forUpdate().executeTakeFirst();
  return row && { user, row };
}

/** Voids this mail and every other one of its kind to the same person. */
export async function removeTokens(tables: EmbeddedSql, { user_id: userId, type }: OneTimeTokenRow): Promise<void> {
  await tables.deleteFrom('one_time_tokens').where('user_id', '=', userId).where('type', '=', type).execute();
}

/** A machine's address, hashed: comparable, and otherwise meaningless. */
export const openerOf = (ip: string) => digest(`opener:${ip}`);
