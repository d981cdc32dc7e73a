import type { Context } from 'koa';
import { pathOf } from '../../../shared/routes.ts';
import { embedded } from '../embedded-tables.ts';
import type { EmbeddedSql, SessionRow, SignUpRow, UserRow } from '../embedded-tables.ts';
import { normalAddress } from '../../mail/normal-address.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem, invalid } from './auth-problem.ts';
import { deviceName } from './device-name.ts';
import { limitAddress, limitCodes } from './limit-requests.ts';
import { findByOtp, findByToken, openerOf, removeTokens } from './one-time-tokens.ts';
import type { Opened } from './one-time-tokens.ts';
import { originFor } from './origin-for.ts';
import { readAuthJson, textField } from './read-json.ts';
import { redirectTarget } from './redirect-target.ts';
import { sessionBody, unprovenBody } from './session-body.ts';
import { acceptSignUp, findSignUp, findSignUpByOtp, removeSignUp } from './sign-ups.ts';
import { findUser, findUserByEmail } from './users.ts';

interface SignedIn {
  user: UserRow;
  session: SessionRow;
}

/** A mailed link that was found, what opening it does, and where it notes that it was opened. */
interface Found {
  row: { opened_by: string | null; session_id: string | null };
  /** Why an account that a sign-up makes without a password has none. */
  whyNone: 'none' | 'lost' | undefined;
  /** The link's person; undefined where it is void by now. */
  person(): Promise<UserRow | undefined>;
  note(opened: { opened_by: string; session_id: string }): Promise<unknown>;
  /** No such link can be opened any more. */
  spend(): Promise<void>;
}

const isLinkType = (type: string): type is 'signup' | 'recovery' => type === 'signup' || type === 'recovery';

function signUpFound(tables: EmbeddedSql, row: SignUpRow, now: Date): Found {
  return {
    row,
    whyNone: row.is_lost ? 'lost' : 'none',
    person: async () => (row.opened_by === null ? acceptSignUp(tables, row, now) : findUserByEmail(tables, row.email)),
    note: (opened) => tables.updateTable('sign_ups').set(opened).where('token_hash', '=', row.token_hash).execute(),
    spend: () => removeSignUp(tables, row),
  };
}

function tokenFound(tables: EmbeddedSql, { row, user }: Opened): Found {
  return {
    row,
    whyNone: undefined,
    person: () => Promise.resolve(user),
    note: (opened) =>
      tables.updateTable('one_time_tokens').set(opened).where('token_hash', '=', row.token_hash).execute(),
    spend: () => removeTokens(tables, row),
  };
}

async function findLink(tables: EmbeddedSql, token: string, type: string, now: Date): Promise<Found | undefined> {
  if (!isLinkType(type)) return undefined;
  if (type === 'signup') {
    const row = await findSignUp(tables, token, now);
    return row && signUpFound(tables, row, now);
  }
  const opened = await findByToken(tables, token, type, now);
  return opened && tokenFound(tables, opened);
}

async function findCode(
  tables: EmbeddedSql,
  typedEmail: string,
  otp: string,
  type: string,
  now: Date,
): Promise<Found | undefined> {
  if (type === 'signup') {
    const row = await findSignUpByOtp(tables, normalAddress(typedEmail), otp, now);
    return row && signUpFound(tables, row, now);
  }
  const user = type === 'recovery' ? await findUserByEmail(tables, typedEmail) : undefined;
  const opened = user && (await findByOtp(tables, user, otp, 'recovery', now));
  return opened && tokenFound(tables, opened);
}

async function startSession(
  parts: AuthParts,
  tables: EmbeddedSql,
  found: Found,
  ctx: Context,
): Promise<SignedIn | undefined> {
  const person = await found.person();
  if (person === undefined) return undefined;
  const now = parts.clock();
  await tables
    .updateTable('users')
    .set({ last_sign_in_at: now, updated_at: now })
    .where('id', '=', person.id)
    .execute();
  const session = await parts.sessions.start(tables, person.id, 'otp', deviceName(ctx.get('User-Agent')));
  return { user: (await findUser(tables, person.id)) ?? person, session };
}

/**
 * Mail scanners follow links before people do. So a link is used up only when the session it gave is first used, which
 * no scanner does and auth-js does at once; until then it may be opened again, though only from another network address
 * than before, and the earlier session ends. From the same address it works once, as in GoTrue.
 */
async function openLink(
  parts: AuthParts,
  tables: EmbeddedSql,
  found: Found,
  ctx: Context,
): Promise<SignedIn | undefined> {
  const opener = openerOf(ctx.ip);
  if (found.row.opened_by !== null) {
    const { session_id: earlier } = found.row;
    const unused =
      earlier !== null && found.row.opened_by !== opener ? await takeUnusedSession(tables, earlier) : false;
    if (!unused) return undefined;
  }
  const signedIn = await startSession(parts, tables, found, ctx);
  if (signedIn) await found.note({ opened_by: opener, session_id: signedIn.session.id });
  return signedIn;
}

async function takeUnusedSession(tables: EmbeddedSql, sessionId: string): Promise<boolean> {
  const taken = await tables
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('used_at', 'is', null)
    .returning('id')
    .execute();
  return taken.length > 0;
}

/**
 * `GET /auth/v1/verify?token=&type=signup|recovery&redirect_to=`: the mailed link -> 303 to the product, with the
 * session or the error in the fragment, where no server on the way sees it. HEAD and prefetches change nothing. A
 * person without a password is redirected to where one is chosen, whatever the link was for: with `type=recovery`, and
 * `password=none` where a sign-up was contested, `lost` where a restore has lost it.
 */
export async function verifyLink(parts: AuthParts, ctx: Context): Promise<void> {
  const origin = originFor(parts.publicUrl(), ctx.host);
  ctx.set('Referrer-Policy', 'no-referrer');
  ctx.status = 204;
  if (ctx.method === 'HEAD' || ctx.get('Sec-Purpose').startsWith('prefetch')) return;

  await limitAddress(parts, 'verifyByIp', ctx.ip);
  const type = String(ctx.query['type'] ?? '');
  const token = String(ctx.query['token'] ?? '');
  const signedIn = await parts.database.transaction(async (sql) => {
    const tables = embedded(sql);
    const found = await findLink(tables, token, type, parts.clock());
    const opened = found && (await openLink(parts, tables, found, ctx));
    return opened && { ...opened, whyNone: found.whyNone };
  });
  if (signedIn) parts.knownDevices.remember(ctx, signedIn.user.email);
  const choosesPassword = signedIn?.user.password_hash === null;
  const target = redirectTarget(
    choosesPassword ? origin + pathOf('/edit-account') : String(ctx.query['redirect_to'] ?? ''),
    origin,
  );
  target.hash = String(signedIn ? await sessionFragment(parts, signedIn, type) : failureFragment());
  ctx.status = 303;
  ctx.set('Location', target.href);
  // The answer is no page that repeats the session in its text.
  ctx.body = '';
}

async function sessionFragment(
  parts: AuthParts,
  { user, session, whyNone }: SignedIn & Pick<Found, 'whyNone'>,
  type: string,
): Promise<URLSearchParams> {
  const body = await unprovenBody(parts, user, session);
  // A reset chooses a password in any case.
  const lacks = user.password_hash === null ? whyNone : undefined;
  return new URLSearchParams({
    access_token: body.access_token,
    expires_at: String(body.expires_at),
    expires_in: String(body.expires_in),
    refresh_token: body.refresh_token,
    sb: '',
    token_type: body.token_type,
    type: lacks === undefined ? type : 'recovery',
    ...(lacks === undefined ? {} : { password: lacks }),
  });
}

function failureFragment(): URLSearchParams {
  const description = 'Email link is invalid or has expired';
  return new URLSearchParams({
    error: 'access_denied',
    error_code: 'otp_expired',
    error_description: description,
    sb: '',
  });
}

/**
 * `POST /auth/v1/verify` `{type, token_hash}` or `{type, email, token}` -> 200 session. `type: 'email'` means `signup`.
 * Guesses at codes are counted by address block, by account, and all together.
 *
 * Errors: 400 `validation_failed`, 403 `otp_expired`, 429 `over_request_rate_limit`.
 */
export async function verifyOtp(parts: AuthParts, ctx: Context): Promise<void> {
  await limitAddress(parts, 'verifyByIp', ctx.ip);
  const body = await readAuthJson(ctx);
  const asked = textField(body, 'type');
  const type = asked === 'email' ? 'signup' : asked;
  const [link, otp, email] = [textField(body, 'token_hash'), textField(body, 'token'), textField(body, 'email')];
  if (asked === '') throw invalid('Verify requires a verification type');
  if (link === '' && (otp === '' || email === ''))
    throw invalid('Verify requires either a token hash, or a token and an email');
  if (link === '') await limitCodes(parts, normalAddress(email), ctx.ip);

  const signedIn = await parts.database.transaction(async (sql) => {
    const tables = embedded(sql);
    const now = parts.clock();
    const found = link === '' ? await findCode(tables, email, otp, type, now) : await findLink(tables, link, type, now);
    if (!found || found.row.opened_by !== null) return undefined;
    const started = await startSession(parts, tables, found, ctx);
    if (started) await found.spend();
    return started;
  });
  if (!signedIn) throw new AuthProblem(403, 'otp_expired', 'Token has expired or is invalid');
  parts.knownDevices.remember(ctx, signedIn.user.email);
  ctx.body = await sessionBody(parts, ctx, signedIn.user, signedIn.session);
}
