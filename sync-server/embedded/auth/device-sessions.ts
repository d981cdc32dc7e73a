import type { Context } from 'koa';
import { isUuid } from '../../../shared/lib/uuid.ts';
import type { AuthParts } from './auth-parts.ts';
import { AuthProblem } from './auth-problem.ts';
import type { Here } from './require-session.ts';

/**
 * `GET /auth/v1/sessions` -> 200 `[{id, device, created_at, last_used_at, is_current}]`, the last used first: on which
 * devices the person is signed in. Ours alone; the hosted service has no such call and answers 404.
 *
 * Errors: those of the bearer token.
 */
export async function listSessions({ sessions }: AuthParts, ctx: Context, { user, session }: Here): Promise<void> {
  ctx.body = (await sessions.list(user.id)).map(({ id, device, created_at: created, last_used_at: used }) => ({
    id,
    device,
    created_at: created.toISOString(),
    last_used_at: used.toISOString(),
    is_current: id === session.id,
  }));
}

/**
 * `DELETE /auth/v1/sessions/:id` -> 204: signs that device out. Errors: those of the bearer token; 404
 * `session_not_found` where the person has no such session.
 */
export async function endSession({ sessions }: AuthParts, ctx: Context, { user }: Here): Promise<void> {
  const id = String((ctx as Context & { params: Record<string, string> }).params['id']);
  const isId = isUuid(id);
  if (!isId || !(await sessions.endOne(user.id, id)))
    throw new AuthProblem(404, 'session_not_found', 'There is no such session');
  ctx.status = 204;
}
