import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Config } from '../lib/config.ts';
import type { Log } from '../lib/log.ts';
import { hasBody } from './buffer-body.ts';
import type { CallerOf } from '../lib/client-address.ts';
import { logWhenClosed, requestIdOf } from './request-log.ts';
import { securityHeadersOf } from './security-headers.ts';
import type { ConcurrencyLimiter } from './shed-load.ts';

/** An answer whose bytes are precomputed, 200 and complete; or one that is streamed, for which nothing else is kept. */
export type PrecomputedResponse = {
  headers: Readonly<Record<string, string>>;
  /** The actor in the request's line in the log. */
  actorId?: string | undefined;
} & (
  | { body: Uint8Array; stream?: undefined }
  | { body?: undefined; stream: (req: IncomingMessage, res: ServerResponse) => Promise<void> }
);

/**
 * Undefined, at once or later, where precomputed bytes do not answer the request, or where anything about it is
 * unusual: the handler then gets the request unchanged.
 */
export type FindPrecomputed = (req: IncomingMessage) => Promise<PrecomputedResponse | undefined> | undefined;

/** Asks one after the other, as long as they say at once that it is not theirs. */
export const firstFound =
  (finds: readonly FindPrecomputed[]): FindPrecomputed =>
  (req) => {
    for (const find of finds) {
      const looking = find(req);
      if (looking !== undefined) return looking;
    }
    return undefined;
  };

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
    { headers, body, stream, actorId }: PrecomputedResponse,
    began: number,
  ): void {
    const given = req.headers['x-request-id'];
    const requestId = requestIdOf(typeof given === 'string' ? given : '');
    logWhenClosed(log, res, { requestId, method: 'GET', path: (req.url ?? '').split('?', 1)[0]!, began }, () =>
      actorId === undefined ? undefined : { actorId },
    );
    const lines = ['X-Request-Id', requestId, ...common];
    for (const [name, value] of Object.entries(headers)) lines.push(name, value);
    if (stream === undefined) {
      res.writeHead(200, [...lines, 'Content-Length', String(body.byteLength)]).end(body);
      return;
    }
    res.writeHead(200, lines);
    stream(req, res).catch((error: unknown) => {
      log.warn({ err: error }, 'a stream could not be fed');
      res.destroy();
    });
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
