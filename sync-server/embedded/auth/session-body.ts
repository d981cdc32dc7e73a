import type { Context } from 'koa';
import type { SessionRow, UserRow } from '../embedded-tables.ts';
import { accessTokenSeconds } from './access-token.ts';
import type { AuthParts } from './auth-parts.ts';
import { refreshTokenOf } from './refresh-token.ts';
import { userBody } from './users.ts';

export interface SessionBody {
  access_token: string;
  token_type: 'bearer';
  expires_in: number;
  /** Unix seconds. */
  expires_at: number;
  refresh_token: string;
  user: Record<string, unknown>;
}

/** The session as auth-js keeps it; the answer's cookie proves whose it is (`createAccountProofs`). */
export async function sessionBody(
  parts: AuthParts,
  ctx: Context,
  user: UserRow,
  session: SessionRow,
): Promise<SessionBody> {
  await parts.accountProofs.give(ctx, user, refreshTokenOf(session), 'asked-for');
  return unprovenBody(parts, user, session);
}

/** The same without the cookie: a mailed link's, before its person has come in (`readUser`). */
export async function unprovenBody(
  { accessTokens }: AuthParts,
  user: UserRow,
  session: SessionRow,
): Promise<SessionBody> {
  const { token, expiresAt } = await accessTokens.make(user, session);
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
    expires_at: expiresAt,
    refresh_token: refreshTokenOf(session),
    user: userBody(user),
  };
}
