import type { Context } from 'koa';
import { rateKeyOf } from '../../lib/client-address.ts';
import { normalAddress } from '../../mail/normal-address.ts';
import { embedded } from '../embedded-tables.ts';
import type { SessionRow, UserRow } from '../embedded-tables.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem, invalid } from './auth-problem.ts';
import { deviceName } from './device-name.ts';
import { limitAddress, limitSignIn } from './limit-requests.ts';
import { readAuthJson, textField } from './read-json.ts';
import { restoreAccount } from './restore-account.ts';
import { sessionBody } from './session-body.ts';
import { findNewestSignUp } from './sign-ups.ts';
import { findUser, findUserByEmail } from './users.ts';

/**
 * `POST /auth/v1/token?grant_type=password` `{email, password}` -> 200 session.
 *
 * The password is checked first, so that only the person who signed up learns that the address is not confirmed yet; no
 * one where two passwords were submitted for it.
 * Errors: 400 `invalid_credentials`, `email_not_confirmed`, `validation_failed`; 429 `over_request_rate_limit`.
 */
export async function signInWithPassword(parts: AuthParts, ctx: Context): Promise<void> {
  const { database, clock, knownDevices, passwords, sessions } = parts;
  await limitAddress(parts, 'signInByIp', ctx.ip);
  const body = await readAuthJson(ctx);
  const typed = textField(body, 'email');
  const email = normalAddress(typed);
  const password = textField(body, 'password');
  if (email === '') throw invalid('missing email or phone');
  const forgive = await limitSignIn(parts, email, ctx.ip, knownDevices.find(ctx, email));

  const tables = embedded(database.sql);
  const [user, signUp] = [await findUserByEmail(tables, typed), await findNewestSignUp(tables, email, clock())];
  const account = user ?? signUp;
  const isRight = await passwords.verify(password, account?.password_hash ?? null, rateKeyOf(ctx.ip));
  if (!isRight) throw new AuthProblem(400, 'invalid_credentials', 'Invalid login credentials');
  await forgive();
  if (!user) throw new AuthProblem(400, 'email_not_confirmed', 'Email not confirmed');

  const session = await database.transaction(async (sql) => {
    const now = clock();
    await embedded(sql).updateTable('users').set({ last_sign_in_at: now }).where('id', '=', user.id).execute();
    return sessions.start(embedded(sql), user.id, 'password', deviceName(ctx.get('User-Agent')));
  });
  knownDevices.remember(ctx, email);
  ctx.body = await sessionBody(parts, ctx, (await findUser(tables, user.id)) ?? user, session);
}

/**
 * `POST /auth/v1/token?grant_type=refresh_token` `{refresh_token}` -> 200 session, with the same `session_id` as
 * before; with another one where the account was lost by a restore and this device brings it back (`restoreAccount`).
 *
 * Errors: 400 `refresh_token_not_found`, `session_expired`, `refresh_token_already_used`; 429
 * `over_request_rate_limit`.
 */
export async function refreshSession(parts: AuthParts, ctx: Context): Promise<void> {
  await limitAddress(parts, 'refreshByIp', ctx.ip);
  const token = textField(await readAuthJson(ctx), 'refresh_token');
  if (token === '') throw invalid('refresh_token required');
  const { user, session } = await renew(parts, ctx, token);
  parts.knownDevices.remember(ctx, user.email);
  ctx.body = await sessionBody(parts, ctx, user, session);
}

async function renew(parts: AuthParts, ctx: Context, token: string): Promise<{ user: UserRow; session: SessionRow }> {
  try {
    const session = await parts.sessions.refresh(token);
    const user = await findUser(embedded(parts.database.sql), session.user_id);
    if (user) return { user, session };
    throw new AuthProblem(400, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  } catch (cause) {
    const isUnknown = cause instanceof AuthProblem && cause.code === 'refresh_token_not_found';
    const restored = isUnknown ? await restoreAccount(parts, ctx, token) : undefined;
    if (restored === undefined) throw cause;
    return restored;
  }
}
