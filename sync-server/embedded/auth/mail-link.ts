import type { Context } from 'koa';
import { pathOf } from '../../../shared/routes.ts';
import { embedded } from '../embedded-tables.ts';
import type { UserRow } from '../embedded-tables.ts';
import { authMail, type MailKind } from './auth-mails.ts';
import type { AuthParts } from './auth-parts.ts';
import { TooManyRequests } from './auth-problem.ts';
import { createOneTimeToken } from './one-time-tokens.ts';
import { originFor } from './origin-for.ts';
import { redirectTarget } from './redirect-target.ts';
import { createSignUp, type Submitted } from './sign-ups.ts';

/** The limit that a mail counts towards: the limits must not tell the caller what was mailed. */
type Counted = 'signup' | 'resend' | 'recovery' | 'reauthentication';

/**
 * Counts a mail to this address, whether or not it will be sent: the limit must not tell the caller whether the address
 * is known.
 *
 * @returns why there may be no further one now: `over_email_send_rate_limit`.
 */
export async function takeMail(
  { limits }: Pick<AuthParts, 'limits'>,
  type: Counted,
  email: string,
): Promise<TooManyRequests | undefined> {
  const code = 'over_email_send_rate_limit';
  const soon = await limits.take('mailInterval', `${type}:${email}`);
  if (soon > 0) {
    const seconds = Math.ceil(soon / 1000);
    return new TooManyRequests(
      code,
      `For security purposes, you can only request this after ${seconds} seconds.`,
      soon,
    );
  }
  // Each kind has a count of its own: requests for mail that is never sent use up no other kind's.
  const later = await limits.take('mailByEmail', `${type}:${email}`);
  return later > 0 ? new TooManyRequests(code, 'email rate limit exceeded', later) : undefined;
}

/** The same, where nothing can be done without the mail. @throws TooManyRequests `over_email_send_rate_limit` */
export async function countMail(parts: Pick<AuthParts, 'limits'>, type: Counted, email: string): Promise<void> {
  const refused = await takeMail(parts, type, email);
  if (refused) throw refused;
}

/**
 * Mails the link that makes an account of what was submitted, and leads to the request's `redirect_to`. Where no
 * password was, the link asks for one, and a code would sign in to nothing.
 */
export async function mailSignUp(
  parts: AuthParts,
  submitted: Submitted,
  counted: 'signup' | 'resend',
  ctx: Context,
  kind: 'signup' | 'lost-sign-up' = 'signup',
): Promise<void> {
  const { token, otp } = await createSignUp(parts.database, submitted, parts.clock(), kind === 'lost-sign-up');
  const { email, password_hash: hash } = submitted;
  const link = linkFor(parts, ctx, { token, type: 'signup', redirectTo: wanted(ctx) });
  await hand(parts, { kind, counted, email, link, otp: hash === null ? undefined : otp });
}

/**
 * Mails the user a new link to choose a password: because they asked, or to say that there was a sign-up with their
 * address or a restore.
 */
export async function mailToken(
  parts: AuthParts,
  user: UserRow,
  kind: 'recovery' | 'taken' | 'restored',
  ctx: Context,
): Promise<void> {
  const { database, clock } = parts;
  const now = clock();
  const { token } = await database.transaction(async (sql) => {
    const tables = embedded(sql);
    await tables.updateTable('users').set({ recovery_sent_at: now }).where('id', '=', user.id).execute();
    return createOneTimeToken(tables, user.id, 'recovery', now);
  });
  // Any other request's redirect leads elsewhere; a new password is chosen on the account's page.
  const redirectTo =
    kind !== 'recovery' ? originFor(parts.publicUrl(), ctx.host) + pathOf('/edit-account') : wanted(ctx);
  const link = linkFor(parts, ctx, { token, type: 'recovery', redirectTo });
  // No page asks for its code.
  const counted = kind === 'taken' ? 'signup' : 'recovery';
  await hand(parts, { kind, counted, email: user.email, link, otp: undefined });
}

/** Mails the user a code, by which they prove that it is they who changes the password. */
export async function mailCode(parts: AuthParts, user: UserRow): Promise<void> {
  const { otp } = await createOneTimeToken(embedded(parts.database.sql), user.id, 'reauthentication', parts.clock());
  await hand(parts, { kind: 'reauthentication', counted: 'reauthentication', email: user.email, link: undefined, otp });
}

const wanted = (ctx: Context) => String(ctx.query['redirect_to'] ?? '');

function linkFor(
  { publicUrl }: AuthParts,
  ctx: Context,
  { token, type, redirectTo }: { token: string; type: string; redirectTo: string },
): string {
  const origin = originFor(publicUrl(), ctx.host);
  const query = new URLSearchParams({ token, type, redirect_to: redirectTarget(redirectTo, origin).href });
  return `${origin}/auth/v1/verify?${query.toString()}`;
}

/** Where the mail cannot be handed over it does not count, so that it can be tried again. */
async function hand(
  parts: AuthParts,
  mail: { kind: MailKind; counted: Counted; email: string; link: string | undefined; otp: string | undefined },
): Promise<void> {
  const { kind, counted, email, link, otp } = mail;
  try {
    await parts.mailer.send(authMail({ kind, to: email, link, otp, askedAt: parts.clock() }));
  } catch (cause) {
    await parts.limits.forgive('mailInterval', `${counted}:${email}`);
    throw new Error('The mail could not be handed over', { cause });
  }
}
