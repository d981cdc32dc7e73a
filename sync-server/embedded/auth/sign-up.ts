import type { Context } from 'koa';
import { embedded } from '../embedded-tables.ts';
import type { AuthParts } from './auth-parts.ts';
import { invalid, TooManyRequests } from './auth-problem.ts';
import { checkEmail, checkMetadata, checkNewPassword } from './check-credentials.ts';
import { limitAddress } from './limit-requests.ts';
import { countMail, mailLink } from './mail-link.ts';
import { readJson, textField } from './read-json.ts';
import { addUser, fakeUserBody, findUser, findUserByEmail, userBody } from './users.ts';

/**
 * `POST /auth/v1/signup?redirect_to=` `{email, password, data?}` -> 200 the bare user; the session comes by mailed link.
 *
 * A confirmed address is answered with a user that does not exist (`identities: []`) and no mail. An unconfirmed one gets a new
 * link; its password stays, because nobody knows yet which of the two askers owns the address.
 * Errors: 400 `validation_failed`, 422 `weak_password`, 429 `over_email_send_rate_limit`, `over_request_rate_limit`.
 */
export async function signUp(parts: AuthParts, ctx: Context): Promise<void> {
  const { database, clock, passwords } = parts;
  const body = await readJson(ctx);
  await limitAddress(parts, 'signUpByIp', ctx.ip);
  const password = textField(body, 'password');
  if (password === '') throw invalid('Signup requires a valid password');
  const email = checkEmail(textField(body, 'email'));
  checkNewPassword(password);
  if (body['code_challenge']) throw invalid('Only the implicit flow is supported');
  const metadata = checkMetadata(body['data']);

  // Hashed before anything is looked up: a known address must not answer sooner.
  const passwordHash = await passwords.hash(password);
  const tables = embedded(database.sql);
  const added = await addUser(tables, { email, passwordHash, metadata, now: clock(), isConfirmed: false });
  const user = added ?? (await findUserByEmail(tables, email));
  if (!user) throw new Error('The address was taken, and then it was not');

  if (user.email_confirmed_at !== null) {
    try {
      await countMail(parts, 'signup', email);
    } catch (limit) {
      if (!(limit instanceof TooManyRequests)) throw limit;
      // Counted, so that `resend` treats this address as any other; there is no mail to hold back.
    }
    ctx.body = fakeUserBody(email, metadata, clock());
    return;
  }
  await countMail(parts, 'signup', email);
  await mailLink(parts, user, 'signup', ctx);
  ctx.body = userBody((await findUser(tables, user.id)) ?? user);
}
