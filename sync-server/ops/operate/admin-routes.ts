import Router from '@koa/router';
import { readJson } from '../../http/read-body.ts';
import type { AdminGuard } from './admin-token.ts';
import { operate, operations, type OperateParts, type OperationName } from './operations.ts';

/**
 * `GET /api/admin/<operation>?…` for those that read, `POST` with a JSON body for those that write (operations.ts);
 * bearer ADMIN_TOKEN, always: a browser's cookie is for the health page alone. 200 with the operation's answer; 401
 * `admin-token-needed`; 404 where no admin token is configured, and `nothing-parked` or `nobody`; 400 `invalid`; 409
 * with the code of a rejection, or `still-failing`.
 */
export function adminRoutes(parts: OperateParts, guard: AdminGuard): Router {
  const router = new Router();
  for (const [name, { writes }] of Object.entries(operations)) {
    router.register(`/api/admin/${name}`, [writes ? 'POST' : 'GET'], async (ctx) => {
      guard.check(ctx, 'act');
      ctx.set('Cache-Control', 'no-store');
      const given = writes ? await readJson(ctx) : ctx.query;
      ctx.body = JSON.stringify(
        await operate(parts, name as OperationName, { ...(given as object) }, String(ctx.state['requestId'])),
      );
      ctx.type = 'application/json';
    });
  }
  return router;
}
