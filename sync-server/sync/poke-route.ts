import Router from '@koa/router';
import { minute } from '../../shared/lib/durations.ts';
import { must } from '../../shared/lib/must.ts';
import { pokeHeartbeatMs } from '../../shared/protocol/poke.ts';
import type { Deps } from '../ports/deps.ts';
import { authenticate, bearerOf } from '../http/authenticate.ts';
import { signInNeeded } from '../http/http-problem.ts';
import { deviceOf } from './device-of.ts';
import { createPokeStream } from './poke-stream.ts';
import type { Poke } from './poke.ts';
import { watchSessions } from './watch-sessions.ts';

export type PokeDeps = Pick<Deps, 'verifyToken' | 'anonKey' | 'closing'> & {
  poke: Poke;
  /** Milliseconds between two checks that the sessions of open streams are still there. */
  everyMs?: number;
};

/** Streams one person may hold: more than the devices of any person. */
const maxStreams = 12;
/** Milliseconds. */
const longest = 30 * minute;

/**
 * `GET /api/sync/poke` (bearer; 401 `sign-in-needed`): Server-Sent Events named `poke`, without data, that say "look
 * again"; a comment every 25 s. `?since=<version>` names the newest commit version the device has seen (the `version`
 * of any collection's answer); a device that has not seen the head, or does not say, is poked at once, so that nothing
 * is missed between its last exchange and this stream.
 * `?changes=1` with `X-Device-Id`: small changes come as events named `change` (P10), each an answer in JSON
 * (shared/protocol/poke.ts). Ends after half an hour, within seconds of its session's end (watch-sessions.ts), when the
 * server stops, and, for the oldest of them, when one person opens more than twelve: connect again.
 */
export function pokeRoute({ poke, closing, everyMs, ...deps }: PokeDeps): Router {
  const router = new Router();
  const watch = watchSessions({ ...deps, closing, ...(everyMs === undefined ? {} : { everyMs }) });
  const streams = new Map<string, Set<() => void>>();

  router.get('/api/sync/poke', async (ctx) => {
    const claims = await authenticate(ctx, deps);
    if (claims === undefined) throw signInNeeded();
    const { userId } = claims;
    const since = typeof ctx.query['since'] === 'string' ? ctx.query['since'] : undefined;
    const { req, res } = ctx;
    ctx.set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Proxies that buffer an answer would make a poke useless.
      'X-Accel-Buffering': 'no',
      // A stopping server waits for connections, and an ended stream's would stay open for the next request.
      Connection: 'close',
    });
    ctx.respond = false;
    res.statusCode = 200;
    req.socket.setNoDelay(true);
    req.socket.setTimeout(0);

    const own = streams.get(userId) ?? new Set();
    const stream = createPokeStream(res);
    const heart = setInterval(stream.beat, pokeHeartbeatMs).unref();
    const age = setTimeout(end, longest).unref();
    const disconnects: (() => void)[] = [];
    function forget(): void {
      clearInterval(heart);
      clearTimeout(age);
      closing.removeEventListener('abort', end);
      for (const disconnect of disconnects.splice(0)) disconnect();
      own.delete(end);
      if (own.size === 0) streams.delete(userId);
    }
    /** Nothing may be written after the end, so whatever writes is stopped first. */
    function end(): void {
      forget();
      res.end();
    }
    // Every admitted caller has one.
    const token = must(bearerOf(ctx.get('Authorization').trim()), 'a token');
    disconnects.push(watch(token, end));
    res.once('close', forget);
    closing.addEventListener('abort', end);
    streams.set(userId, own.add(end));
    const [oldest] = own;
    if (own.size > maxStreams) oldest?.();

    const isOver = () => res.destroyed || res.writableEnded;
    const device = ctx.query['changes'] === '1' ? deviceOf(ctx) : undefined;
    disconnects.push(
      await poke.connect({
        userId,
        since,
        onPoke: () => (isOver() ? undefined : stream.poke()),
        changes:
          device === undefined
            ? undefined
            : {
                device,
                isSessionLive: async () => (await deps.verifyToken(token))?.userId === userId,
                onChange: (text) => !isOver() && stream.change(text),
              },
      }),
    );
    if (closing.aborted && !isOver()) end();
    if (isOver()) forget();
  });
  return router;
}
