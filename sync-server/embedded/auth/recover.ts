import type { Context } from 'koa';
import { embedded } from '../embedded-tables.ts';
import { withMinimumDuration } from './minimum-duration.ts';
import type { AuthParts } from './auth-parts.ts';
import { invalid } from './auth-problem.ts';
import { checkEmail } from './check-credentials.ts';
import { limitAddress } from './limit-requests.ts';
import { countMail, mailSignUp, mailToken } from './mail-link.ts';
import { readAuthJson, textField } from './read-json.ts';
import { findNewestSignUp, mayHaveLostSignUps } from './sign-ups.ts';
import { findUserByEmail } from './users.ts';

/**
 * `POST /auth/v1/recover?redirect_to=` `{email}` -> 200 `{}`, whether the address is known or not; the limits count
 * both alike.
 *
 * Errors: 400 `validation_failed`, 429 `over_email_send_rate_limit`, `over_request_rate_limit`.
 */
export async function recover(parts: AuthParts, ctx: Context): Promise<void> {
  await limitAddress(parts, 'recoverByIp', ctx.ip);
  const body = await readAuthJson(ctx);
  if (textField(body, 'email') === '') throw invalid('Password recovery requires an email');
  const email = checkEmail(textField(body, 'email'));
  if (body['code_challenge']) throw invalid('Only the implicit flow is supported');
  await countMail(parts, 'recovery', email);
  await withMinimumDuration(parts.mailAnswerFloorMs, async () => {
    const user = await findUserByEmail(embedded(parts.database.sql), textField(body, 'email'));
    if (user) await mailToken(parts, user, 'recovery', ctx);
  });
  ctx.body = {};
}

/**
 * `POST /auth/v1/resend?redirect_to=` `{type: 'signup' | 'email_change', email}` -> 200 `{}`, also if unknown or
 * confirmed already.
 *
 * Where a restore may have lost the sign-up, a link is mailed that makes an account without a password, for its person
 * to choose one.
 *
 * Addresses cannot be changed here, so `email_change` never has anything to send.
 * Errors: 400 `validation_failed`, 429 `over_email_send_rate_limit`, `over_request_rate_limit`.
 */
export async function resend(parts: AuthParts, ctx: Context): Promise<void> {
  await limitAddress(parts, 'recoverByIp', ctx.ip);
  const body = await readAuthJson(ctx);
  const type = textField(body, 'type');
  if (type !== 'signup' && type !== 'email_change') throw invalid('Missing one of these types: signup, email_change');
  if (textField(body, 'email') === '') throw invalid('Type provided requires an email address');
  const email = checkEmail(textField(body, 'email'));
  await countMail(parts, 'resend', email);
  await withMinimumDuration(parts.mailAnswerFloorMs, async () => {
    if (type !== 'signup') return;
    const tables = embedded(parts.database.sql);
    const now = parts.clock();
    if (await findUserByEmail(tables, email)) return;
    const signUp = await findNewestSignUp(tables, email, now);
    if (signUp) await mailSignUp(parts, signUp, 'resend', ctx, signUp.is_lost ? 'lost-sign-up' : 'signup');
    else if (await mayHaveLostSignUps(parts.database.sql, now))
      await mailSignUp(parts, { email, password_hash: null, user_metadata: {} }, 'resend', ctx, 'lost-sign-up');
  });
  ctx.body = {};
}
