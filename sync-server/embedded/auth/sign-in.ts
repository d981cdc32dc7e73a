import type { Context } from 'koa';
import { embedded } from '../embedded-tables.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem, invalid } from './auth-problem.ts';
import { limitAddress, limitRequests } from './limit-requests.ts';
import { textField } from './read-json.ts';
import { sessionBody } from './session-body.ts';
import { findUser, findUserByEmail } from './users.ts';

/**
 * `POST /auth/v1/token?grant_type=password` `{email, password}` -> 200 session.
 *
 * The password is checked first, so that only the owner learns that an address is not confirmed yet.
 * Errors: 400 `invalid_credentials`, `email_not_confirmed`, `validation_failed`; 429 `over_request_rate_limit`.
 */
export async function signInWithPassword(parts: AuthParts, ctx: Context, body: Record<string, unknown>): Promise<void> {
  const { database, clock, limits, passwords, sessions } = parts;
  const email = textField(body, 'email').trim().toLowerCase();
  const password = textField(body, 'password');
  if (email === '') throw invalid('missing email or phone');
  await limitAddress(parts, 'signInByIp', ctx.ip);
  await limitRequests(parts, 'signInByEmail', email);

  const user = await findUserByEmail(embedded(database.sql), email);
  const isRight = await passwords.verify(password, user?.password_hash ?? null);
  if (!user || !isRight) throw new AuthProblem(400, 'invalid_credentials', 'Invalid login credentials');
  await limits.forgive('signInByEmail', email);
  if (user.email_confirmed_at === null) throw new AuthProblem(400, 'email_not_confirmed', 'Email not confirmed');

  const session = await database.transaction(async (sql) => {
    const tables = embedded(sql);
    const now = clock();
    await tables.updateTable('users').set({ last_sign_in_at: now }).where('id', '=', user.id).execute();
    return sessions.start(tables, user.id, 'password');
  });
  ctx.body = await sessionBody(parts, (await findUser(embedded(database.sql), user.id)) ?? user, session);
}

/**
 * `POST /auth/v1/token?grant_type=refresh_token` `{refresh_token}` -> 200 session, with the same `session_id` as before.
 *
 * Errors: 400 `refresh_token_not_found`, `refresh_token_already_used`; 429 `over_request_rate_limit`.
 */
export async function refreshSession(parts: AuthParts, ctx: Context, body: Record<string, unknown>): Promise<void> {
  await limitAddress(parts, 'refreshByIp', ctx.ip);
  const token = textField(body, 'refresh_token');
  if (token === '') throw invalid('refresh_token required');
  const session = await parts.sessions.refresh(token);
  const user = await findUser(embedded(parts.database.sql), session.user_id);
  if (!user) throw new AuthProblem(400, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  ctx.body = await sessionBody(parts, user, session);
}
