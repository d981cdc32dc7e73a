import Router from '@koa/router';
import type { Deps } from '../deps.ts';

/**
 * `GET /api/config` -> `{ supabaseUrl, supabaseAnonKey }`: where the app finds auth and storage (specification section 7).
 * The embedded ones live on this origin, as the public address says or as the request came.
 */
export function configRoutes({ config, anonKey }: Deps): Router {
  const router = new Router();
  router.get('/api/config', (ctx) => {
    ctx.body = { supabaseUrl: config.supabase?.url ?? config.publicUrl ?? `${ctx.protocol}://${ctx.host}`, supabaseAnonKey: anonKey };
  });
  return router;
}
