import Router from '@koa/router';
import { must } from '../../shared/lib/must.ts';
import type { Deps } from '../ports/deps.ts';
import { authenticate, bearerOf } from '../http/authenticate.ts';
import { signInNeeded } from '../http/http-problem.ts';
import type { FindPrecomputed, PrecomputedResponse } from '../http/precomputed-responses.ts';
import { deviceOf } from './device-of.ts';
import { openPokeStreams, type PokeStreamDeps, type StreamOwner } from './poke-streams.ts';

export type PokeDeps = PokeStreamDeps & Pick<Deps, 'anonKey'>;

export interface PokeRoutes {
  readonly router: Router;
  /** The same stream before the chain of middleware, whose objects would stay as long as the stream does. */
  readonly ready: FindPrecomputed;
}

const path = '/api/sync/poke';

/**
 * `GET /api/sync/poke` (bearer; 401 `sign-in-needed`): Server-Sent Events named `poke`, without data, that say "look
 * again"; a comment every 25 s. `?since=<version>` names the newest commit version the device has seen (the `version`
 * of any collection's answer); a device that has not seen the head, or does not say, is poked at once, so that nothing
 * is missed between its last exchange and this stream.
 * `?changes=1` with `X-Device-Id`: small changes come as events named `change` (P10), each an answer in JSON
 * (shared/protocol/poke.ts). Ends after half an hour, within seconds of its session's end (watch-sessions.ts), when the
 * server stops, and, for the oldest of them, when one person opens more than twelve: connect again.
 */
export function pokeRoutes({ anonKey, ...deps }: PokeDeps): PokeRoutes {
  const router = new Router();
  const streams = openPokeStreams(deps);

  router.get(path, async (ctx) => {
    const claims = await authenticate(ctx, { ...deps, anonKey });
    if (claims === undefined) throw signInNeeded();
    ctx.set(streams.headers);
    ctx.respond = false;
    ctx.res.statusCode = 200;
    const since = typeof ctx.query['since'] === 'string' ? ctx.query['since'] : undefined;
    const device = ctx.query['changes'] === '1' ? deviceOf(ctx.get('X-Device-Id')) : undefined;
    // Every admitted caller has one.
    const token = must(bearerOf(ctx.get('Authorization').trim()), 'a token');
    await streams.feed(ctx.req, ctx.res, { userId: claims.userId, token, since, device });
  });

  async function open(
    token: string,
    owner: Omit<StreamOwner, 'userId' | 'token'>,
  ): Promise<PrecomputedResponse | undefined> {
    const claims = await deps.verifyToken(token);
    if (claims === undefined) return undefined;
    const { userId } = claims;
    return {
      headers: streams.headers,
      actorId: userId,
      stream: (req, res) => streams.feed(req, res, { userId, token, ...owner }),
    };
  }

  return {
    router,
    ready: (req) => {
      const url = req.url ?? '';
      if (req.method !== 'GET' || (url !== path && !url.startsWith(`${path}?`))) return undefined;
      const token = bearerOf(req.headers.authorization?.trim() ?? '');
      if (token === undefined || token === anonKey) return undefined;
      const query = new URLSearchParams(url.slice(path.length + 1));
      const [since, ...more] = query.getAll('since');
      const device = req.headers['x-device-id'];
      // What names one thing twice is left to the route.
      if (more.length > 0 || query.getAll('changes').length > 1 || Array.isArray(device)) return undefined;
      return open(token, { since, device: query.get('changes') === '1' ? deviceOf(device ?? '') : undefined });
    },
  };
}
