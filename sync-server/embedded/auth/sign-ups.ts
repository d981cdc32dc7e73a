import { createHmac, randomBytes, randomInt, randomUUID } from 'node:crypto';
import { sql as rawSql } from 'kysely';
import { day } from '../../../shared/lib/durations.ts';
import { lockOf } from '../../db/advisory-locks.ts';
import type { Database, Sql } from '../../db/database.ts';
import { embedded } from '../embedded-tables.ts';
import type { EmbeddedSql, SignUpRow, UserRow } from '../embedded-tables.ts';
import { digest } from './one-time-tokens.ts';
import { addUser, findUserByEmail } from './users.ts';

const lifeMs = day;
const otpDigest = (email: string, otp: string) => digest(`${email}:${otp}`);

export type Submitted = Pick<SignUpRow, 'email' | 'password_hash' | 'user_metadata'>;

/**
 * One salt for all sign-ups of an address, so that equal hashes mean equal passwords: verifying each stored password
 * would take longer for some addresses than for others.
 */
export const signUpSalt = (secret: Buffer, email: string) =>
  createHmac('sha256', secret).update(`sign-up ${email}`).digest().subarray(0, 16);

const waiting = (tables: EmbeddedSql, now: Date) =>
  tables.selectFrom('sign_ups').selectAll().where('expires_at', '>', now);

/**
 * Where several sign-ups gave different passwords it is unknown which of them reads the mail of the address: all that
 * was submitted is deleted, and the person who opens a link chooses a password. The links stay valid: no client must be
 * able to void a link that its reader is about to open.
 *
 * @returns what is left to keep of the submitted one.
 */
async function contest(tables: EmbeddedSql, submitted: Submitted, now: Date): Promise<Submitted> {
  const { email, password_hash: hash } = submitted;
  await lockOf.signUps(email).execute(tables);
  const others = await waiting(tables, now).where('email', '=', email).execute();
  if (others.every((other) => other.password_hash === hash)) return submitted;
  await forgetSubmitted(tables, email);
  return { email, password_hash: null, user_metadata: {} };
}

async function forgetSubmitted(tables: EmbeddedSql, email: string): Promise<void> {
  await tables
    .updateTable('sign_ups')
    .set({ password_hash: null, user_metadata: '{}' })
    .where('email', '=', email)
    .execute();
}

/** A sign-up that is not mailed: another one's mail was just sent to the address. */
export async function noteSignUp(database: Database, submitted: Submitted, now: Date): Promise<void> {
  await database.transaction((sql) => contest(embedded(sql), submitted, now));
}

/**
 * Keeps what was submitted with the link and the code of one mail. Other sign-ups of the same address are kept beside
 * it.
 */
export async function createSignUp(
  database: Database,
  submitted: Submitted,
  now: Date,
  isLost = false,
): Promise<{ token: string; otp: string }> {
  const token = randomBytes(28).toString('hex');
  const otp = String(randomInt(1_000_000)).padStart(6, '0');
  await database.transaction(async (sql) => {
    const tables = embedded(sql);
    const { email, password_hash, user_metadata } = await contest(tables, submitted, now);
    await tables
      .insertInto('sign_ups')
      .values({
        token_hash: digest(token),
        otp_hash: otpDigest(email, otp),
        email,
        password_hash,
        user_metadata: JSON.stringify(user_metadata),
        is_lost: isLost,
        created_at: now,
        expires_at: new Date(now.getTime() + lifeMs),
        opened_by: null,
        session_id: null,
      })
      .execute();
  });
  return { token, otp };
}

/** The sign-up of a mailed link, locked with all of its address; it may have been opened before. */
export async function findSignUp(tables: EmbeddedSql, token: string, now: Date): Promise<SignUpRow | undefined> {
  const find = () => waiting(tables, now).where('token_hash', '=', digest(token)).executeTakeFirst();
  const found = await find();
  if (found === undefined) return undefined;
  await lockOf.signUps(found.email).execute(tables);
  return find();
}

/**
 * The unopened sign-up of this address with this code, locked with all of its address. Not one that was contested: the
 * person chooses a password where its link leads.
 */
export async function findSignUpByOtp(
  tables: EmbeddedSql,
  email: string,
  otp: string,
  now: Date,
): Promise<SignUpRow | undefined> {
  await lockOf.signUps(email).execute(tables);
  const ofAddress = waiting(tables, now).where('email', '=', email).where('opened_by', 'is', null);
  return ofAddress
    .where('password_hash', 'is not', null)
    .where('otp_hash', '=', otpDigest(email, otp))
    .executeTakeFirst();
}

/** The newest sign-up of the address that still waits. */
export function findNewestSignUp(tables: EmbeddedSql, email: string, now: Date): Promise<SignUpRow | undefined> {
  return waiting(tables, now)
    .where('email', '=', email)
    .where('opened_by', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/**
 * Was the database restored within the life of a sign-up? One that was made after the backup is not there, and its
 * person waits for a mail.
 */
export async function mayHaveLostSignUps(sql: Sql, now: Date): Promise<boolean> {
  const { rows } = await rawSql`
    select from sync_timeline where began_at > ${new Date(now.getTime() - lifeMs)} limit 1`.execute(sql);
  return rows.length > 0;
}

/**
 * The account of the sign-up whose link was opened: made of what was submitted with it, without a password where that
 * was contested. Where another link of the address was opened before, its account. The links that are left sign in to
 * it, and do nothing else.
 */
export async function acceptSignUp(tables: EmbeddedSql, signUp: SignUpRow, now: Date): Promise<UserRow | undefined> {
  const { email, password_hash: passwordHash, user_metadata: metadata } = signUp;
  const earlier = await findUserByEmail(tables, email);
  if (earlier) return earlier;
  await forgetSubmitted(tables, email);
  return addUser(tables, { id: randomUUID(), email, passwordHash, metadata, now });
}

/** Voids every mailed link to sign this address up. */
export async function removeSignUps(tables: EmbeddedSql, email: string): Promise<void> {
  await lockOf.signUps(email).execute(tables);
  await tables.deleteFrom('sign_ups').where('email', '=', email).execute();
}

export async function removeSignUp(tables: EmbeddedSql, { token_hash: hash }: SignUpRow): Promise<void> {
  await tables.deleteFrom('sign_ups').where('token_hash', '=', hash).execute();
}
