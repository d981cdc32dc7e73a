import type { Context } from 'koa';
import { rateKeyOf } from '../../lib/client-address.ts';
import { embedded } from '../embedded-tables.ts';
import { withMinimumDuration } from './minimum-duration.ts';
import type { AuthParts } from './auth-parts.ts';
import { invalid } from './auth-problem.ts';
import { checkEmail, checkMetadata } from './check-credentials.ts';
import { limitAddress, mayTellTaken } from './limit-requests.ts';
import { mailSignUp, mailToken, takeMail } from './mail-link.ts';
import { checkNewPassword } from './password-rules.ts';
import { readAuthJson, textField } from './read-json.ts';
import { noteSignUp, signUpSalt } from './sign-ups.ts';
import { findUserByEmail, submittedUserBody } from './users.ts';

/**
 * `POST /auth/v1/signup?redirect_to=` `{email, password, data?}` -> 200 a user made of what was submitted; the session
 * comes by mailed link.
 *
 * What was submitted waits with the link of its own mail. Where a second password is submitted for an unconfirmed
 * address, none of them counts any more, and the person who opens any of the links chooses one (`verify`). Where the
 * limits allow no further mail the answer is the same: one with a valid link went there within the last minutes, and no
 * client must be able to keep its owner from going on.
 *
 * A person who mistyped their password on a new device comes here too. As the hosted service does, the answer tells
 * that the address has an account, by `identities: []` and without a mail: always on a device that has signed in to it
 * before, and otherwise for so many addresses (`takenByIp`). Beyond that an address that has an account gets the answer
 * of one that has none: same body, same limits, as long; its owner is mailed that there is one. Errors: 400
 * `validation_failed`, 422 `weak_password`, 429 `over_request_rate_limit`.
 */
export async function signUp(parts: AuthParts, ctx: Context): Promise<void> {
  const { database, clock, passwords, derivedSecret } = parts;
  await limitAddress(parts, 'signUpByIp', ctx.ip);
  const body = await readAuthJson(ctx);
  const [typed, password] = [textField(body, 'email'), textField(body, 'password')];
  if (password === '') throw invalid('Signup requires a valid password');
  const email = checkEmail(typed);
  if (body['code_challenge']) throw invalid('Only the implicit flow is supported');
  const metadata = checkMetadata(body['data']);

  if (await isTold(parts, ctx, email, typed)) {
    ctx.body = submittedUserBody(email, metadata, clock(), true);
    return;
  }
  await checkNewPassword(password, email);
  // The password is hashed before the address is looked up: a known address must not answer sooner.
  const passwordHash = await passwords.hash(password, rateKeyOf(ctx.ip), signUpSalt(derivedSecret, email));
  const mayMail = (await takeMail(parts, 'signup', email)) === undefined;
  await withMinimumDuration(parts.mailAnswerFloorMs, async () => {
    const user = await findUserByEmail(embedded(database.sql), typed);
    const submitted = { email, password_hash: passwordHash, user_metadata: metadata };
    if (!user) await (mayMail ? mailSignUp(parts, submitted, 'signup', ctx) : noteSignUp(database, submitted, clock()));
    else if (mayMail) await mailToken(parts, user, 'taken', ctx);
  });
  ctx.body = submittedUserBody(email, metadata, clock(), false);
}

/** Has the address an account, and may this client know? Where it may not, both take as long. */
async function isTold(parts: AuthParts, ctx: Context, email: string, typed: string): Promise<boolean> {
  const { database, knownDevices, mailAnswerFloorMs } = parts;
  let told = false;
  await withMinimumDuration(mailAnswerFloorMs, async () => {
    if (!(await findUserByEmail(embedded(database.sql), typed))) return;
    told = knownDevices.find(ctx, email) !== undefined || (await mayTellTaken(parts, ctx.ip));
  });
  return told;
}
