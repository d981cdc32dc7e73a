import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Config } from '../lib/config.ts';
import type { Log } from '../lib/log.ts';
import { hasBody } from './buffer-body.ts';
import type { CallerOf } from '../lib/client-address.ts';
import { logWhenClosed, requestIdOf } from './request-log.ts';
import { securityHeadersOf } from './security-headers.ts';
import type { ConcurrencyLimiter } from './shed-load.ts';

/** An answer whose bytes are precomputed: 200, complete. */
export interface PrecomputedResponse {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  /** The actor in the request's line in the log. */
  actorId?: string | undefined;
}

/**
 * Undefined, at once or later, where precomputed bytes do not answer the request, or where anything about it is
 * unusual: the handler then gets the request unchanged.
 */
export type FindPrecomputed = (req: IncomingMessage) => Promise<PrecomputedResponse | undefined> | undefined;

export interface PrecomputedParts {
  find: FindPrecomputed;
  callerOf: CallerOf;
  /** The handler's own, so that a request answered here counts as well. */
  limiter: ConcurrencyLimiter;
  log: Log;
  config: Pick<Config, 'supabase' | 'publicUrl'>;
}

/**
 * Answers requests for precomputed bytes before the handler. A new device asks for some forty segments, and the whole
 * chain of middleware costs several times what sending the bytes does. Request id, log line, security headers and the
 * limiter are the handler's.
 */
export function servePrecomputed(
  { find, callerOf, limiter, log, config }: PrecomputedParts,
  handler: RequestListener,
): RequestListener {
  const common = Object.entries(securityHeadersOf(config)).flat();

  function send(
    req: IncomingMessage,
    res: ServerResponse,
    { headers, body, actorId }: PrecomputedResponse,
    began: number,
  ): void {
    const given = req.headers['x-request-id'];
    const requestId = requestIdOf(typeof given === 'string' ? given : '');
    logWhenClosed(log, res, { requestId, method: 'GET', path: req.url ?? '', began }, () =>
      actorId === undefined ? undefined : { actorId },
    );
    const lines = ['X-Request-Id', requestId, ...common, 'Content-Length', String(body.byteLength)];
    for (const [name, value] of Object.entries(headers)) lines.push(name, value);
    res.writeHead(200, lines).end(body);
  }

  return (req, res) => {
    const began = performance.now();
    // A request with a body, or past the limit, goes to the handler.
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
      // What failed here fails in the handler as well, where it is answered and logged.
      () => handler(req, res),
    );
  };
}
