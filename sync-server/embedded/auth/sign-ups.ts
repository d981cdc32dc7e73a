import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import type { EmbeddedSql, SignUpRow, UserRow } from '../embedded-tables.ts';
import { digest } from './one-time-tokens.ts';
import { addUser } from './users.ts';

const lifeMs = 24 * 3_600_000;
const otpDigest = (email: string, otp: string) => digest(`${email}:${otp}`);

export type Submitted = Pick<SignUpRow, 'email' | 'password_hash' | 'user_metadata'>;

/** Keeps what was submitted with the link and the code of one mail. Other sign-ups of the same address stand beside it. */
export async function makeSignUp(tables: EmbeddedSql, submitted: Submitted, now: Date): Promise<{ token: string; otp: string }> {
  const token = randomBytes(28).toString('hex');
  const otp = String(randomInt(1_000_000)).padStart(6, '0');
  const { email, password_hash, user_metadata } = submitted;
  await tables
    .insertInto('sign_ups')
    .values({
      token_hash: digest(token),
      otp_hash: otpDigest(email, otp),
      email,
      password_hash,
      user_metadata: JSON.stringify(user_metadata),
      created_at: now,
      expires_at: new Date(now.getTime() + lifeMs),
      opened_by: null,
      session_id: null,
    })
    .execute();
  return { token, otp };
}

const waiting = (tables: EmbeddedSql, now: Date) => tables.selectFrom('sign_ups').selectAll().where('expires_at', '>', now);

/** The sign-up of a mailed link, locked; it may have been opened before. */
export function findSignUp(tables: EmbeddedSql, token: string, now: Date): Promise<SignUpRow | undefined> {
  return waiting(tables, now).where('token_hash', '=', digest(token)).forUpdate().executeTakeFirst();
}

/** The unopened sign-up of this address with this code, locked. */
export function findSignUpByOtp(tables: EmbeddedSql, email: string, otp: string, now: Date): Promise<SignUpRow | undefined> {
  const ofAddress = waiting(tables, now).where('email', '=', email).where('opened_by', 'is', null);
  return ofAddress.where('otp_hash', '=', otpDigest(email, otp)).forUpdate().executeTakeFirst();
}

/** The newest sign-up of the address that still waits. */
export function findNewestSignUp(tables: EmbeddedSql, email: string, now: Date): Promise<SignUpRow | undefined> {
  return waiting(tables, now).where('email', '=', email).where('opened_by', 'is', null).orderBy('created_at', 'desc').limit(1).executeTakeFirst();
}

/**
 * Makes the account of the sign-up whose link was opened, with the password that was submitted with that link, and voids every other
 * sign-up of the address: who else gave a password for it does not get in. Undefined where the address has an account by now.
 */
export async function acceptSignUp(tables: EmbeddedSql, signUp: SignUpRow, now: Date): Promise<UserRow | undefined> {
  const { email, password_hash: passwordHash, user_metadata: metadata } = signUp;
  const user = await addUser(tables, { id: randomUUID(), email, passwordHash, metadata, now });
  await tables.deleteFrom('sign_ups').where('email', '=', email).where('token_hash', '<>', signUp.token_hash).execute();
  return user;
}

export async function removeSignUp(tables: EmbeddedSql, { token_hash: hash }: SignUpRow): Promise<void> {
  await tables.deleteFrom('sign_ups').where('token_hash', '=', hash).execute();
}
