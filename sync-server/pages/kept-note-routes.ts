import Router from '@koa/router';
import { day } from '../../shared/lib/durations.ts';
import { countCookies, keptCookie, keptNotePath, sentCookie } from '../../shared/lib/kept-note.ts';
import { badRequest } from '../http/http-problem.ts';
import { readJson } from '../http/read-body.ts';
import type { Deps } from '../ports/deps.ts';

/** The longest that browsers keep a cookie (RFC 6265bis, 5.5). */
const maxAge = 400 * day;

/**
 * `POST /api/kept-note` with `{"allSent": true}`: 204 and two cookies, which name no person; with `"counts": true`,
 * from an app that counts by them, those as well. For the app alone, and readable by it: it takes some away when
 * something begins to wait, and all at a log-out. As JSON, so that no page of another site can send it.
 */
export function keptNoteRoutes({ clock }: Pick<Deps, 'clock'>): Router {
  const router = new Router();
  router.post(keptNotePath, async (ctx) => {
    const body = (await readJson(ctx)) as { allSent?: unknown; counts?: unknown } | null;
    if (body?.allSent !== true)
      throw badRequest('allSent must be true', 'invalid', { fields: { allSent: 'allSent must be true' } });
    const options = { httpOnly: false, sameSite: 'lax', secure: ctx.secure, maxAge } as const;
    ctx.cookies.set(keptCookie, clock().toISOString(), options);
    for (const name of [sentCookie, ...(body.counts === true ? countCookies() : [])])
      ctx.cookies.set(name, 'yes', options);
    ctx.set('Cache-Control', 'no-store');
    ctx.status = 204;
  });
  return router;
}
