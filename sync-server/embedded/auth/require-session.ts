import { errors, jwtVerify } from 'jose';
import type { JWTVerifyGetKey } from 'jose';
import type { Context } from 'koa';
import { isUuid } from '../../../shared/lib/uuid.ts';
import { embedded } from '../embedded-tables.ts';
import type { SessionRow, UserRow } from '../embedded-tables.ts';
import { audience } from './access-token.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem } from './auth-problem.ts';
import { findUser } from './users.ts';

export interface Here {
  user: UserRow;
  session: SessionRow;
}

/**
 * The person and session of the bearer token: signature, then user, then session, none of them cached.
 *
 * @throws AuthProblem 401 `no_authorization`, 403 `bad_jwt`, `user_not_found`, `session_not_found`
 */
export async function requireSession(parts: AuthParts, getKey: JWTVerifyGetKey, ctx: Context): Promise<Here> {
  const token = /^Bearer +(\S+) *$/i.exec(ctx.get('Authorization'))?.[1];
  if (!token) throw new AuthProblem(401, 'no_authorization', 'This endpoint requires a valid Bearer token');
  const { subject, sessionId } = await readToken(parts, getKey, token);
  const user = await findUser(embedded(parts.database.sql), subject);
  if (!user) throw new AuthProblem(403, 'user_not_found', 'User from sub claim in JWT does not exist');
  const session = isUuid(sessionId) ? await parts.sessions.findLive(sessionId, user.id) : undefined;
  if (!session) throw new AuthProblem(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  return { user, session };
}

async function readToken({ accessTokens, clock }: AuthParts, getKey: JWTVerifyGetKey, token: string) {
  try {
    const { payload } = await jwtVerify(token, getKey, {
      algorithms: ['ES256'],
      issuer: accessTokens.issuer(),
      audience,
      currentDate: clock(),
      requiredClaims: ['sub', 'exp', 'session_id'],
    });
    return { subject: String(payload.sub), sessionId: String(payload['session_id']) };
  } catch (cause) {
    if (!(cause instanceof errors.JOSEError)) throw cause;
    throw new AuthProblem(403, 'bad_jwt', 'invalid JWT: unable to parse or verify signature, or token is expired');
  }
}
