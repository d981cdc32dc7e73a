import type { Context } from 'koa';
import { noteInLog } from '../../http/request-log.ts';
import type { StorageParts } from './storage-parts.ts';
import { accessDenied, invalidRequest } from './storage-problem.ts';

/**
 * The requester's user id; undefined for the public key.
 *
 * @throws StorageProblem `InvalidRequest` without a token, `AccessDenied` for one that does not count
 */
export async function requesterOf({ anonKey, verifyToken }: StorageParts, ctx: Context): Promise<string | undefined> {
  const authorization = ctx.get('Authorization').trim();
  if (authorization === '') throw invalidRequest("headers must have required property 'authorization'");
  const token = /^bearer +(\S+)$/i.exec(authorization)?.[1];
  if (token === anonKey) return undefined;
  const claims = token === undefined ? undefined : await verifyToken(token);
  if (!claims) throw accessDenied('jwt is invalid, expired or signed out');
  noteInLog(ctx, { actorId: claims.userId });
  return claims.userId;
}
