import type { Context } from 'koa';
import { embedded } from '../embedded-tables.ts';
import type { EmbeddedSql, SessionRow, UserRow } from '../embedded-tables.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem, invalid } from './auth-problem.ts';
import { limitAddress } from './limit-requests.ts';
import { findByOtp, findByToken, isTokenType, openerOf, removeToken } from './one-time-tokens.ts';
import type { Opened } from './one-time-tokens.ts';
import { originFor } from './origin-for.ts';
import { readJson, textField } from './read-json.ts';
import { redirectTarget } from './redirect-target.ts';
import { sessionBody } from './session-body.ts';
import { findUser, findUserByEmail } from './users.ts';

interface SignedIn {
  user: UserRow;
  session: SessionRow;
}

/** A proved mail address confirms the account, for recovery as for sign-up, and starts a session. */
async function confirm(parts: AuthParts, tables: EmbeddedSql, user: UserRow): Promise<SignedIn> {
  const now = parts.clock();
  const confirmed = { email_confirmed_at: user.email_confirmed_at ?? now, last_sign_in_at: now, updated_at: now };
  await tables.updateTable('users').set(confirmed).where('id', '=', user.id).execute();
  const session = await parts.sessions.start(tables, user.id, 'otp');
  return { user: (await findUser(tables, user.id)) ?? user, session };
}

/**
 * Mail scanners follow links before people do, and would burn them. So a link is spent when the session it gave is first used,
 * which no scanner does and auth-js does at once; until then it may be opened again, though only from another network address
 * than before, and the earlier session ends. From the same address it works once, as in GoTrue.
 */
async function openLink(parts: AuthParts, tables: EmbeddedSql, { user, row }: Opened, opener: string): Promise<SignedIn | undefined> {
  if (row.opened_by !== null) {
    const { session_id: earlier } = row;
    const unused = earlier !== null && row.opened_by !== opener ? await takeUnusedSession(tables, earlier) : false;
    if (!unused) return undefined;
  }
  const signedIn = await confirm(parts, tables, user);
  const opened = { opened_by: opener, session_id: signedIn.session.id };
  await tables.updateTable('one_time_tokens').set(opened).where('token_hash', '=', row.token_hash).execute();
  return signedIn;
}

async function takeUnusedSession(tables: EmbeddedSql, sessionId: string): Promise<boolean> {
  const taken = await tables.deleteFrom('sessions').where('id', '=', sessionId).where('used_at', 'is', null).returning('id').execute();
  return taken.length > 0;
}

/**
 * `GET /auth/v1/verify?token=&type=signup|recovery&redirect_to=`: the mailed link -> 303 to the product, with the session or the
 * error in the fragment, where no server on the way sees it. HEAD and prefetches change nothing.
 */
export async function verifyLink(parts: AuthParts, ctx: Context): Promise<void> {
  const target = redirectTarget(String(ctx.query['redirect_to'] ?? ''), originFor(parts.publicUrl(), ctx.host));
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.status = 204;
  if (ctx.method === 'HEAD' || ctx.get('Sec-Purpose').startsWith('prefetch')) return;

  await limitAddress(parts, 'verifyByIp', ctx.ip);
  const type = String(ctx.query['type'] ?? '');
  const token = String(ctx.query['token'] ?? '');
  const signedIn = await parts.database.transaction(async (sql) => {
    const tables = embedded(sql);
    const found = isTokenType(type) ? await findByToken(tables, token, type, parts.clock()) : undefined;
    return found && openLink(parts, tables, found, openerOf(ctx.ip));
  });
  target.hash = String(signedIn ? await sessionFragment(parts, signedIn, type) : failureFragment());
  ctx.status = 303;
  ctx.set('Location', target.href);
  // No page that repeats the session in its text.
  ctx.body = '';
}

async function sessionFragment(parts: AuthParts, { user, session }: SignedIn, type: string): Promise<URLSearchParams> {
  const body = await sessionBody(parts, user, session);
  return new URLSearchParams({
    access_token: body.access_token,
    expires_at: String(body.expires_at),
    expires_in: String(body.expires_in),
    refresh_token: body.refresh_token,
    sb: '',
    token_type: body.token_type,
    type,
  });
}

function failureFragment(): URLSearchParams {
  const description = 'Email link is invalid or has expired';
  return new URLSearchParams({ error: 'access_denied', error_code: 'otp_expired', error_description: description, sb: '' });
}

/**
 * `POST /auth/v1/verify` `{type, token_hash}` or `{type, email, token}` -> 200 session. `type: 'email'` means `signup`.
 *
 * Errors: 400 `validation_failed`, 403 `otp_expired`, 429 `over_request_rate_limit`.
 */
export async function verifyOtp(parts: AuthParts, ctx: Context): Promise<void> {
  const body = await readJson(ctx);
  await limitAddress(parts, 'verifyByIp', ctx.ip);
  const asked = textField(body, 'type');
  const type = asked === 'email' ? 'signup' : asked;
  const [link, otp, email] = [textField(body, 'token_hash'), textField(body, 'token'), textField(body, 'email').trim().toLowerCase()];
  if (asked === '') throw invalid('Verify requires a verification type');
  if (link === '' && (otp === '' || email === '')) throw invalid('Verify requires either a token hash, or a token and an email');

  const signedIn = await parts.database.transaction(async (sql) => {
    const tables = embedded(sql);
    if (!isTokenType(type)) return undefined;
    const now = parts.clock();
    const user = link === '' ? await findUserByEmail(tables, email) : undefined;
    const found = link === '' ? user && (await findByOtp(tables, user, otp, type, now)) : await findByToken(tables, link, type, now);
    if (!found || found.row.opened_by !== null) return undefined;
    await removeToken(tables, found.row);
    return confirm(parts, tables, found.user);
  });
  if (!signedIn) throw new AuthProblem(403, 'otp_expired', 'Token has expired or is invalid');
  ctx.body = await sessionBody(parts, signedIn.user, signedIn.session);
}
