import type { Context } from 'koa';
import { embedded } from '../embedded-tables.ts';
import type { UserRow } from '../embedded-tables.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem, invalid } from './auth-problem.ts';
import { checkMetadata, checkNewPassword } from './check-credentials.ts';
import { limitAddress } from './limit-requests.ts';
import { readJson, textField } from './read-json.ts';
import type { Here } from './require-session.ts';
import type { SignOutScope } from './sessions.ts';
import { findUser, userBody } from './users.ts';

function mergeMetadata(user: UserRow, changes: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...user.user_metadata, ...changes };
  return checkMetadata(Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)));
}

/** The hash of the new password, undefined where none was sent. */
async function newPasswordHash({ passwords }: AuthParts, user: UserRow, body: Record<string, unknown>): Promise<string | undefined> {
  if (body['password'] === undefined || body['password'] === null) return undefined;
  const password = textField(body, 'password');
  checkNewPassword(password);
  if (await passwords.verify(password, user.password_hash)) {
    throw new AuthProblem(422, 'same_password', 'New password should be different from the old password.');
  }
  return passwords.hash(password);
}

/**
 * `PUT /auth/v1/user` `{password?, data?}` -> 200 user. `data` merges into the metadata, null takes a key out.
 * A new password ends every other session and voids every mailed link. The address cannot be changed.
 *
 * Errors: those of the bearer token; 400 `validation_failed`; 422 `weak_password`, `same_password`; 403 `not_admin`; 429.
 */
export async function updateUser(parts: AuthParts, ctx: Context, { user, sessionId }: Here): Promise<void> {
  const body = await readJson(ctx);
  await limitAddress(parts, 'updateByIp', ctx.ip);
  if (body['app_metadata'] !== undefined) throw new AuthProblem(403, 'not_admin', 'Updating app_metadata requires admin privileges');
  const email = textField(body, 'email').trim().toLowerCase();
  if (email !== '' && email !== user.email) throw invalid('Your email address can only be changed by our support team');
  const metadata = mergeMetadata(user, checkMetadata(body['data']));
  const passwordHash = await newPasswordHash(parts, user, body);

  const changed = await parts.database.transaction(async (sql) => {
    const tables = embedded(sql);
    const changes = { user_metadata: JSON.stringify(metadata), updated_at: parts.clock() };
    await tables.updateTable('users').set(changes).where('id', '=', user.id).execute();
    if (passwordHash !== undefined) {
      await tables.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', user.id).execute();
      await tables.deleteFrom('one_time_tokens').where('user_id', '=', user.id).execute();
      await parts.sessions.end(tables, user.id, sessionId, 'others');
    }
    return findUser(tables, user.id);
  });
  ctx.body = userBody(changed ?? user);
}

const isScope = (text: string): text is SignOutScope => ['global', 'local', 'others'].includes(text);

/** `POST /auth/v1/logout?scope=global|local|others` -> 204. Errors: those of the bearer token; 400 `validation_failed` for another scope. */
export async function signOut(parts: AuthParts, ctx: Context, { user, sessionId }: Here): Promise<void> {
  const scope = String(ctx.query['scope'] ?? 'global');
  if (!isScope(scope)) throw invalid(`Unsupported logout scope "${scope.slice(0, 40)}"`);
  await parts.database.transaction((sql) => parts.sessions.end(embedded(sql), user.id, sessionId, scope));
  ctx.status = 204;
}
