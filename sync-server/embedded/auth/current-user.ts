import type { Context } from 'koa';
import { minute } from '../../../shared/lib/durations.ts';
import { embedded } from '../embedded-tables.ts';
import type { SessionRow, UserRow } from '../embedded-tables.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem, invalid } from './auth-problem.ts';
import { rateKeyOf } from '../../lib/client-address.ts';
import { normalAddress } from '../../mail/normal-address.ts';
import { checkMetadata } from './check-credentials.ts';
import { limitAddress, limitProof } from './limit-requests.ts';
import { countMail, mailCode } from './mail-link.ts';
import { findByOtp } from './one-time-tokens.ts';
import { checkNewPassword } from './password-rules.ts';
import { readAuthJson, textField } from './read-json.ts';
import { refreshTokenOf } from './refresh-token.ts';
import type { Here } from './require-session.ts';
import type { SignOutScope } from './sessions.ts';
import { removeSignUps } from './sign-ups.ts';
import { findUser, userBody } from './users.ts';

/**
 * `GET /auth/v1/user` -> 200 user. Errors: those of the bearer token.
 *
 * A session that a mailed link gave gets the proof of its account here: auth-js asks this as its person comes in, and a
 * person who declines a link never does, so that a declined one replaces no proof.
 */
export async function readUser(parts: AuthParts, ctx: Context, { user, session }: Here): Promise<void> {
  if (session.method === 'otp' && session.refresh_count === 0)
    await parts.accountProofs.give(ctx, user, refreshTokenOf(session), 'by-link');
  ctx.body = userBody(user);
}

function mergeMetadata(user: UserRow, changes: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...user.user_metadata, ...changes };
  return checkMetadata(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)));
}

/**
 * How long a sign-in is proof enough that it is the person who changes the password; a mailed link is opened to do just
 * that. A device that brought its account back may be one that its person had signed out: only their mail proves
 * anything.
 */
const freshMs: Record<SessionRow['method'], number> = { password: 15 * minute, otp: 60 * minute, restored: 0 };

/**
 * A person who finds a signed-in phone must not be able to take over the account: a new password needs the old one, a
 * mailed code, or a recent sign-in.
 *
 * @throws AuthProblem 400 `reauthentication_needed`, `current_password_mismatch`; 422 `reauthentication_not_valid`; 429
 */
async function proveIt(
  parts: AuthParts,
  ctx: Context,
  { user, session }: Here,
  body: Record<string, unknown>,
): Promise<void> {
  const [current, nonce] = [textField(body, 'current_password'), textField(body, 'nonce')];
  if (current === '' && nonce === '') {
    if (parts.clock().getTime() - session.created_at.getTime() < freshMs[session.method]) return;
    throw new AuthProblem(400, 'reauthentication_needed', 'Password update requires reauthentication');
  }
  await limitProof(parts, user.id);
  if (current !== '') {
    if (await parts.passwords.verify(current, user.password_hash, rateKeyOf(ctx.ip))) return;
    throw new AuthProblem(400, 'current_password_mismatch', 'Your current password is not right.');
  }
  const found = await findByOtp(embedded(parts.database.sql), user, nonce, 'reauthentication', parts.clock());
  if (!found) throw new AuthProblem(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
}

/** The hash of the new password, undefined where none was sent. */
async function newPasswordHash(
  parts: AuthParts,
  ctx: Context,
  here: Here,
  body: Record<string, unknown>,
): Promise<string | undefined> {
  if (body['password'] === undefined || body['password'] === null) return undefined;
  const password = textField(body, 'password');
  await checkNewPassword(password, here.user.email);
  await proveIt(parts, ctx, here, body);
  const queueKey = rateKeyOf(ctx.ip);
  if (await parts.passwords.verify(password, here.user.password_hash, queueKey)) {
    throw new AuthProblem(422, 'same_password', 'New password should be different from the old password.');
  }
  return parts.passwords.hash(password, queueKey);
}

/**
 * `PUT /auth/v1/user` `{password?, current_password?, nonce?, data?}` -> 200 user. `data` merges into the metadata,
 * null takes a key out. A new password needs proof (`current_password`, the mailed code as `nonce`, or a recent
 * sign-in), ends every other session and voids every mailed link. The address cannot be changed.
 *
 * Errors: those of the bearer token; 400 `validation_failed`, `reauthentication_needed`, `current_password_mismatch`;
 * 422 `weak_password`,
 * `same_password`, `reauthentication_not_valid`; 403 `not_admin`; 429.
 */
export async function updateUser(parts: AuthParts, ctx: Context, here: Here): Promise<void> {
  const { user, session } = here;
  await limitAddress(parts, 'updateByIp', ctx.ip);
  const body = await readAuthJson(ctx);
  if (body['app_metadata'] !== undefined)
    throw new AuthProblem(403, 'not_admin', 'Updating app_metadata requires admin privileges');
  const email = textField(body, 'email');
  if (email !== '' && normalAddress(email) !== normalAddress(user.email))
    throw invalid('Your email address can only be changed by our support team');
  const metadata = mergeMetadata(user, checkMetadata(body['data']));
  const passwordHash = await newPasswordHash(parts, ctx, here, body);

  const changed = await parts.database.transaction(async (sql) => {
    const tables = embedded(sql);
    if (passwordHash !== undefined) await removeSignUps(tables, user.email);
    const changes = { user_metadata: JSON.stringify(metadata), updated_at: parts.clock() };
    await tables.updateTable('users').set(changes).where('id', '=', user.id).execute();
    if (passwordHash !== undefined) {
      await tables.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user.id).execute();
      await tables.deleteFrom('one_time_tokens').where('user_id', '=', user.id).execute();
      await parts.sessions.end(tables, user.id, session.id, 'others');
    }
    return findUser(tables, user.id);
  });
  ctx.body = userBody(changed ?? user);
}

const isScope = (text: string): text is SignOutScope => ['global', 'local', 'others'].includes(text);

/**
 * `POST /auth/v1/logout?scope=global|local|others` -> 204. Errors: those of the bearer token; 400 `validation_failed`
 * for another scope.
 */
export async function signOut(parts: AuthParts, ctx: Context, { user, session }: Here): Promise<void> {
  const scope = String(ctx.query['scope'] ?? 'global');
  if (!isScope(scope)) throw invalid(`Unsupported logout scope "${scope.slice(0, 40)}"`);
  await parts.database.transaction((sql) => parts.sessions.end(embedded(sql), user.id, session.id, scope));
  ctx.status = 204;
}

/**
 * `GET /auth/v1/reauthenticate` -> 200 `{}`: mails the person a code, which `PUT /user` takes as `nonce` for 15
 * minutes.
 *
 * Errors: those of the bearer token; 429 `over_email_send_rate_limit`.
 */
export async function reauthenticate(parts: AuthParts, ctx: Context, { user }: Here): Promise<void> {
  await countMail(parts, 'reauthentication', user.email);
  await mailCode(parts, user);
  ctx.body = {};
}
