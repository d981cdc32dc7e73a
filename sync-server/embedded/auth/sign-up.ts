import type { Context } from 'koa';
import { laneOf } from '../../http/client-address.ts';
import { embedded } from '../embedded-tables.ts';
import { atLeast } from './at-least.ts';
import type { AuthParts } from './auth-parts.ts';
import { invalid } from './auth-problem.ts';
import { checkEmail, checkMetadata } from './check-credentials.ts';
import { limitAddress } from './limit-requests.ts';
import { countMail, mailSignUp, mailToken } from './mail-link.ts';
import { checkNewPassword } from './password-rules.ts';
import { readJson, textField } from './read-json.ts';
import { findUserByEmail, submittedUserBody } from './users.ts';

/**
 * `POST /auth/v1/signup?redirect_to=` `{email, password, data?}` -> 200 a user made of what was submitted; the session comes by mailed link.
 *
 * What was submitted waits with the link of its own mail, and only the sign-up whose link is opened becomes the account (`verify`).
 * An address that has an account is answered alike: same body, same limits, as long; its owner is mailed that there is one. Only a
 * device that has signed in to that account before is told so, by `identities: []` and without a mail: somebody mistyped a password.
 * Errors: 400 `validation_failed`, 422 `weak_password`, 429 `over_email_send_rate_limit`, `over_request_rate_limit`.
 */
export async function signUp(parts: AuthParts, ctx: Context): Promise<void> {
  const { database, clock, passwords, knownDevices } = parts;
  await limitAddress(parts, 'signUpByIp', ctx.ip);
  const body = await readJson(ctx);
  const [typed, password] = [textField(body, 'email'), textField(body, 'password')];
  if (password === '') throw invalid('Signup requires a valid password');
  const email = checkEmail(typed);
  await checkNewPassword(password, email);
  if (body['code_challenge']) throw invalid('Only the implicit flow is supported');
  const metadata = checkMetadata(body['data']);

  // Hashed before anything is looked up: a known address must not answer sooner.
  const passwordHash = await passwords.hash(password, laneOf(ctx.ip));
  const findUser = () => findUserByEmail(embedded(database.sql), typed);
  const isTaken = knownDevices.find(ctx, email) !== undefined && (await findUser()) !== undefined;
  if (!isTaken) {
    await countMail(parts, 'signup', email);
    await atLeast(parts.mailAnswerFloorMs, async () => {
      const user = await findUser();
      if (user) await mailToken(parts, user, 'taken', ctx);
      else await mailSignUp(parts, { email, password_hash: passwordHash, user_metadata: metadata }, ctx);
    });
  }
  ctx.body = submittedUserBody(email, metadata, clock(), isTaken);
}
