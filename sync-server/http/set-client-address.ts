import { isIP } from 'node:net';
import type Koa from 'koa';
import type { Context, Middleware } from 'koa';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../lib/config.ts';
import { isMisspelt } from './app-paths.ts';
import type { Caller, CallerOf } from '../lib/client-address.ts';
import { HttpProblem, notFound } from './http-problem.ts';

/**
 * Replaces Koa's own view of the client's address by that of `callerOf`: `ctx.ip`, `ctx.protocol` and `ctx.host` are
 * then the caller's everywhere, and `ctx.origin` is the address the request came to, never the header of that name,
 * which a page elsewhere writes.
 */
export function setClientAddress(app: Koa, callerOf: CallerOf): void {
  type Request = { req: IncomingMessage };
  Object.defineProperties(app.request, {
    ip: {
      get(this: Request) {
        return callerOf(this.req).address;
      },
    },
    protocol: {
      get(this: Request) {
        return callerOf(this.req).protocol;
      },
    },
    host: {
      get(this: Request) {
        return hostOf(callerOf(this.req));
      },
    },
    origin: {
      get(this: Request) {
        return originOf(callerOf(this.req));
      },
    },
  });
}

/** The name is this machine's own where none is said, which HTTP/1.0 allows. */
const hostOf = ({ host }: Caller) => (host === '' ? 'localhost' : host);
const originOf = (caller: Caller) => `${caller.protocol}://${hostOf(caller)}`;

const plainHost = /^([\w.-]{1,253}|\[[\da-f:.]{2,45}\])(:\d{1,5})?$/i;

/**
 * 404 for `/API/config`: paths are in lower case, for the limits that match a call by its path as for the routes behind
 * them.
 */
export function plainPaths(): Middleware {
  return async (ctx, next) => {
    if (isMisspelt(ctx.path)) throw notFound();
    await next();
  };
}

/** 400 `malformed` for a request whose Host is no name and port: addresses are made of it. */
export function plainHosts(): Middleware {
  return async (ctx, next) => {
    if (!plainHost.test(ctx.host) || !URL.canParse(ctx.origin))
      throw new HttpProblem(400, { error: 'The Host header is not a name and a port', code: 'malformed' });
    await next();
  };
}

const ownNames = /^(localhost|[\w.-]+\.localhost)$/i;

/**
 * Is the request's Host one of this server's names: that of PUBLIC_URL, this machine's, or a plain address? A page
 * elsewhere can have its own name point here (DNS rebinding) and then read answers as if they were its own; it cannot
 * do so with any of these.
 */
export function isOwnHost(ctx: Pick<Context, 'host' | 'origin'>, { publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  if (publicUrl !== undefined && new URL(publicUrl).host === ctx.host.toLowerCase()) return true;
  if (!URL.canParse(ctx.origin)) return false;
  const { hostname } = new URL(ctx.origin);
  return ownNames.test(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

/** 403 `foreign-host` below these paths where the Host is not one of this server's names. */
export function ownHostsOnly(config: Pick<Config, 'publicUrl'>, paths: RegExp): Middleware {
  return async (ctx, next) => {
    if (paths.test(ctx.path) && !isOwnHost(ctx, config)) {
      throw new HttpProblem(403, {
        error: 'This page answers at the address in PUBLIC_URL and on this machine only',
        code: 'foreign-host',
      });
    }
    await next();
  };
}
