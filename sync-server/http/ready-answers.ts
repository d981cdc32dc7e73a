import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Config } from '../lib/config.ts';
import type { Log } from '../lib/log.ts';
import { hasBody } from './buffer-body.ts';
import type { CallerOf } from '../lib/client-address.ts';
import { logWhenClosed, requestIdOf } from './request-log.ts';
import { securityHeadersOf } from './security-headers.ts';
import type { ConcurrencyLimiter } from './shed-load.ts';

/** An answer whose bytes lie ready: 200, and nothing about it still to be made. */
export interface ReadyAnswer {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** For the request's line in the log. */
  actorId?: string | undefined;
}

/**
 * Undefined, at once or after a look, where the request is not one that ready bytes answer, or where anything about it is not
 * plain: the whole house then hears it as if nobody had looked.
 */
export type FindReady = (req: IncomingMessage) => Promise<ReadyAnswer | undefined> | undefined;

export interface ReadyParts {
  find: FindReady;
  callerOf: CallerOf;
  /** The house's own, so that who is answered here counts as inside. */
  limiter: ConcurrencyLimiter;
  log: Log;
  config: Pick<Config, 'supabase' | 'publicUrl'>;
}

/**
 * Stands before the house and answers what only has to be handed out. A new device asks for some forty segments, and the way through
 * every room costs several times what sending the bytes does. Request id, log line, security headers and the door are the house's.
 */
export function answerReady({ find, callerOf, limiter, log, config }: ReadyParts, handler: RequestListener): RequestListener {
  const common = Object.entries(securityHeadersOf(config)).flat();

  function send(req: IncomingMessage, res: ServerResponse, { headers, body, actorId }: ReadyAnswer, began: number): void {
    const given = req.headers['x-request-id'];
    const requestId = requestIdOf(typeof given === 'string' ? given : '');
    logWhenClosed(log, res, { requestId, method: 'GET', path: req.url ?? '', began }, () => (actorId === undefined ? undefined : { actorId }));
    const lines = ['X-Request-Id', requestId, ...common, 'Content-Length', String(body.byteLength)];
    for (const [name, value] of Object.entries(headers)) lines.push(name, value);
    res.writeHead(200, lines).end(body);
  }

  return (req, res) => {
    const began = performance.now();
    // Where something is still to come, or too many are inside, the house deals with it.
    if (hasBody(req)) return handler(req, res);
    const { blocks } = callerOf(req);
    if (!limiter.enter(blocks)) return handler(req, res);
    const leave = () => limiter.leave(blocks);
    const looking = find(req);
    if (looking === undefined) {
      leave();
      return handler(req, res);
    }
    looking.finally(leave).then(
      (found) => (found === undefined ? handler(req, res) : send(req, res, found, began)),
      // What failed here fails there as well, where it is answered and logged.
      () => handler(req, res),
    );
  };
}
