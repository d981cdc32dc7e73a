import type { Context } from 'koa';
import type { Deps, TokenClaims } from '../ports/deps.ts';
import { signInNeeded } from './http-problem.ts';
import { noteInLog } from './request-log.ts';

/** The token in an `Authorization` header; undefined where there is none. */
export function bearerOf(authorization: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(authorization)?.[1];
}

/**
 * The person of the request's bearer token. Undefined: no token, or the public key, which the client sends in its place
 * without a session.
 *
 * @throws HttpProblem 401 `sign-in-needed` for any invalid token: forged, expired, signed out, not a token at all.
 */
export async function authenticate(
  ctx: Context,
  { anonKey, verifyToken }: Pick<Deps, 'anonKey' | 'verifyToken'>,
): Promise<TokenClaims | undefined> {
  const authorization = ctx.get('Authorization').trim();
  if (authorization === '') return undefined;
  const token = bearerOf(authorization);
  if (token === anonKey) return undefined;
  const claims = token === undefined ? undefined : await verifyToken(token);
  if (claims === undefined) throw signInNeeded('Your session has ended. Sign in again.');
  noteInLog(ctx, { actorId: claims.userId });
  return claims;
}
