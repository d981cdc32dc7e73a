import type { Context } from 'koa';
import type { SessionRow, UserRow } from '../embedded-tables.ts';
import { accessTokenSeconds } from './access-token.ts';
import type { SessionWay } from './account-proof.ts';
import type { AuthParts } from './auth-parts.ts';
import { createRefreshToken } from './refresh-token.ts';
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
  { accessTokens, accountProofs }: AuthParts,
  ctx: Context,
  user: UserRow,
  session: SessionRow,
  way: SessionWay = 'asked-for',
): Promise<SessionBody> {
  const { token, expiresAt } = await accessTokens.make(user, session);
  const refreshToken = createRefreshToken(
    { sessionId: session.id, count: session.refresh_count },
    session.refresh_secret,
  );
  await accountProofs.give(ctx, user, refreshToken, way);
  return {
    access_token: token,
    token_type: 'bearer',
    expires_in: accessTokenSeconds,
    expires_at: expiresAt,
    refresh_token: refreshToken,
    user: userBody(user),
  };
}
