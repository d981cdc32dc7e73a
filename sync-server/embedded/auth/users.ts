import { randomUUID } from 'node:crypto';
import { normalAddress } from '../../mail/normal-address.ts';
import type { EmbeddedSql, UserRow } from '../embedded-tables.ts';

/**
 * The account of an address as typed. Accounts of earlier versions may be kept as they were typed then, trimmed and in
 * lower case; the normal form goes first.
 */
export async function findUserByEmail(tables: EmbeddedSql, typed: string): Promise<UserRow | undefined> {
  const normal = normalAddress(typed);
  const rows = await tables
    .selectFrom('users')
    .selectAll()
    .where('email', 'in', [normal, typed.trim().toLowerCase()])
    .execute();
  return rows.find(({ email }) => email === normal) ?? rows[0];
}

export function findUser(tables: EmbeddedSql, id: string): Promise<UserRow | undefined> {
  return tables.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export interface NewUser {
  id?: string | undefined;
  email: string;
  passwordHash: string | null;
  metadata: Record<string, unknown>;
  now: Date;
}

/** Adds the user of a confirmed address; undefined where the address or the id is taken. */
export async function addUser(tables: EmbeddedSql, user: NewUser): Promise<UserRow | undefined> {
  return tables
    .insertInto('users')
    .values({
      id: user.id ?? randomUUID(),
      email: user.email,
      password_hash: user.passwordHash,
      user_metadata: JSON.stringify(user.metadata),
      identity_id: randomUUID(),
      email_confirmed_at: user.now,
      confirmation_sent_at: null,
      recovery_sent_at: null,
      last_sign_in_at: null,
      created_at: user.now,
      updated_at: user.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

const iso = (instant: Date) => instant.toISOString();
const ifSet = (name: string, instant: Date | null) => (instant === null ? {} : { [name]: iso(instant) });

/** The user as auth-js knows one. Instants that are not set are left out; nothing secret is in it. */
export function userBody(user: UserRow): Record<string, unknown> {
  const metadata = user.user_metadata;
  const times = {
    ...ifSet('last_sign_in_at', user.last_sign_in_at),
    created_at: iso(user.created_at),
    updated_at: iso(user.updated_at),
  };
  const isConfirmed = user.email_confirmed_at !== null;
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    ...ifSet('email_confirmed_at', user.email_confirmed_at),
    phone: '',
    ...ifSet('confirmation_sent_at', user.confirmation_sent_at),
    ...ifSet('confirmed_at', user.email_confirmed_at),
    ...ifSet('recovery_sent_at', user.recovery_sent_at),
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: metadata,
    identities: [
      {
        identity_id: user.identity_id,
        id: user.id,
        user_id: user.id,
        identity_data: {
          ...metadata,
          sub: user.id,
          email: user.email,
          email_verified: isConfirmed,
          phone_verified: false,
        },
        provider: 'email',
        ...times,
        email: user.email,
      },
    ],
    ...times,
    is_anonymous: false,
  };
}

/**
 * What every sign-up is answered, whether or not the address has an account: made of nothing but what was submitted, so
 * the ids belong to no account. `isTaken`: the client is told so in the provider's way, by a user without identities.
 */
export function submittedUserBody(
  email: string,
  metadata: Record<string, unknown>,
  now: Date,
  isTaken: boolean,
): Record<string, unknown> {
  const at = now.toISOString();
  const id = randomUUID();
  const identity = {
    identity_id: randomUUID(),
    id,
    user_id: id,
    identity_data: { ...metadata, sub: id, email, email_verified: false, phone_verified: false },
    provider: 'email',
    created_at: at,
    updated_at: at,
    email,
  };
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: at,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: metadata,
    identities: isTaken ? [] : [identity],
    created_at: at,
    updated_at: at,
    is_anonymous: false,
  };
}
