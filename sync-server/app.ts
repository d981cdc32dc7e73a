import type { RequestListener } from 'node:http';
import type Router from '@koa/router';
import Koa from 'koa';
import { describePages } from './pages/describe-page.ts';
import { loadDocuments } from './pages/documents.ts';
import type { Deps } from './ports/deps.ts';
import { bufferBody } from './http/buffer-body.ts';
import { createCallerOf } from './lib/client-address.ts';
import { compression } from './http/compression.ts';
import { setClientAddress, ownHostsOnly, plainHosts, plainPaths } from './http/set-client-address.ts';
import { problems } from './http/problems.ts';
import { servePrecomputed, type FindPrecomputed } from './http/precomputed-responses.ts';
import { requestLog } from './http/request-log.ts';
import { routes } from './routes.ts';
import { securityHeaders } from './http/security-headers.ts';
import { callsAtOnce, createConcurrencyLimiter, shedLoad } from './http/shed-load.ts';
import { staticFiles } from './pages/static-files.ts';
import { uncachedCalls } from './http/uncached-calls.ts';

export interface AppParts {
  /** The folder of the built app; undefined: calls only (tests, and development beside vite). */
  dist?: string | undefined;
  /** Of the sync engine, which is more than its routes: main opens and closes it. */
  sync?: readonly Router[] | undefined;
  /** Finds precomputed answers. */
  ready?: FindPrecomputed | undefined;
}

/**
 * The whole server as a list of middleware: a request goes down it, its answer comes back up. Precomputed answers are
 * served before it.
 */
export function createApp(deps: Deps, { dist, sync = [], ready }: AppParts = {}): RequestListener {
  const limiter = createConcurrencyLimiter(callsAtOnce);
  const callerOf = createCallerOf(deps.config.trustedProxies);
  const app = new Koa();
  // Errors are answered and logged by `problems`; Koa's own printing would repeat them.
  app.silent = true;
  setClientAddress(app, callerOf);
  app.use(requestLog(deps.log));
  app.use(securityHeaders(deps.config));
  app.use(compression());
  app.use(problems(deps.log));
  app.use(plainHosts());
  app.use(plainPaths());
  app.use(ownHostsOnly(deps.config, /^\/dev\//i));
  app.use(bufferBody(callerOf));
  app.use(shedLoad(limiter, callerOf));
  app.use(uncachedCalls());
  const routers = [...deps.embedded, ...sync, ...routes.map((routesOf) => routesOf(deps))];
  for (const router of routers) app.use(router.routes()).use(router.allowedMethods());
  if (dist !== undefined)
    app.use(
      staticFiles(dist, {
        withDevPage: !deps.config.production && deps.config.supabase === undefined,
        describe: describePages(deps, loadDocuments(dist)),
        publicUrl: deps.config.publicUrl,
      }),
    );
  const handle = app.callback();
  const handler: RequestListener = (req, res) => void handle(req, res);
  return ready === undefined
    ? handler
    : servePrecomputed({ find: ready, callerOf, limiter, log: deps.log, config: deps.config }, handler);
}
