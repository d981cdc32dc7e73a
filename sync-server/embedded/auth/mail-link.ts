import type { Context } from 'koa';
import { embedded } from '../embedded-tables.ts';
import type { UserRow } from '../embedded-tables.ts';
import { authMail } from './auth-mails.ts';
import type { AuthParts } from './auth-parts.ts';
import { TooManyRequests } from './auth-problem.ts';
import { makeOneTimeToken } from './one-time-tokens.ts';
import type { TokenType } from './one-time-tokens.ts';
import { originFor } from './origin-for.ts';
import { redirectTarget } from './redirect-target.ts';

/**
 * Counts a mail to this address, whether or not it will be sent: who asks must not learn from the limit if the address is known.
 *
 * @throws TooManyRequests `over_email_send_rate_limit`
 */
export async function countMail({ limits }: AuthParts, type: TokenType, email: string): Promise<void> {
  const code = 'over_email_send_rate_limit';
  const soon = await limits.take('mailInterval', `${type}:${email}`);
  if (soon > 0) {
    const seconds = Math.ceil(soon / 1000);
    throw new TooManyRequests(code, `For security purposes, you can only request this after ${seconds} seconds.`, soon);
  }
  const later = await limits.take('mailByEmail', email);
  if (later > 0) throw new TooManyRequests(code, 'email rate limit exceeded', later);
}

/** Mails the user a fresh link of this type, which leads to the request's `redirect_to`. Where the mail cannot be handed over it does not count, so that it can be tried again. */
export async function mailLink(parts: AuthParts, user: UserRow, type: TokenType, ctx: Context): Promise<void> {
  const { database, clock, publicUrl, mailer, limits } = parts;
  const now = clock();
  const { token, otp } = await database.transaction(async (sql) => {
    const tables = embedded(sql);
    const sentAt = type === 'signup' ? { confirmation_sent_at: now } : { recovery_sent_at: now };
    await tables.updateTable('users').set(sentAt).where('id', '=', user.id).execute();
    return makeOneTimeToken(tables, user.id, type, now);
  });
  const origin = originFor(publicUrl(), ctx.host);
  const redirectTo = redirectTarget(String(ctx.query['redirect_to'] ?? ''), origin);
  const query = new URLSearchParams({ token, type, redirect_to: redirectTo.href });
  try {
    await mailer.send(authMail(type, user.email, `${origin}/auth/v1/verify?${query.toString()}`, otp));
  } catch (cause) {
    await limits.forgive('mailInterval', `${type}:${user.email}`);
    throw new Error('The mail could not be handed over', { cause });
  }
}
